// A disease and everything it is connected to.
// param  disease: string  CURIE of the disease, e.g. MONDO:0005393
MATCH p = (d:Disease {id: $disease})-[r]-(o:Entity)
WHERE type(r) <> 'PREDICTED'
RETURN p
LIMIT 100
