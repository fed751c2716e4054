// Diseases that share symptoms with a disease, the most shared first.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// param  limit: integer = 25  Rows at most
// column disease_id: string, disease_name: string, disease_name_zh: string, shared: integer
// order  shared desc, disease_id
MATCH (d:Entity {id: $disease})-[:HAS_SYMPTOM]->(s:Entity)
MATCH (s)<-[:HAS_SYMPTOM]-(o:Disease)
WHERE o.id <> d.id
RETURN o.id AS disease_id, o.name AS disease_name, o.name_zh AS disease_name_zh,
       count(DISTINCT s.id) AS shared
ORDER BY shared DESC, disease_id
LIMIT $limit
