// Findings of two diseases, which of them has each, and how many diseases have it in all.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// param  other: string  CURIE of another one, e.g. MONDO:0008383
// column finding_id: string, finding_name: string, finding_name_zh: string, in_disease: integer
// column in_other: integer, diseases: integer
// order  finding_id
UNWIND [$disease, $other] AS given
MATCH (d:Entity {id: given})
// OPTIONAL, so that Ladybug goes from the two and does not read all edges
OPTIONAL MATCH (d)-[r:HAS_SYMPTOM]->(s:Entity)
WITH d.id AS having, s, r
WHERE s.id IS NOT NULL
WITH s, max(CASE WHEN having = $disease THEN 1 ELSE 0 END) AS in_disease,
     max(CASE WHEN having = $other THEN 1 ELSE 0 END) AS in_other
RETURN s.id AS finding_id, s.name AS finding_name, s.name_zh AS finding_name_zh, in_disease, in_other,
       COUNT { MATCH (s)<-[:HAS_SYMPTOM]-(o:Entity) } AS diseases
ORDER BY finding_id
