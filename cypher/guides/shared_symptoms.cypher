// What two diseases have in common.
// param  disease: string  CURIE of one disease, e.g. MONDO:0005393
// param  other: string  CURIE of the other disease, e.g. MONDO:0008383
MATCH p = (d:Disease {id: $disease})-[:HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|TREATED_BY]->(s)
          <-[:HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|TREATED_BY]-(o:Disease {id: $other})
RETURN p
LIMIT 100
