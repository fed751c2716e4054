// Diseases that a list of symptoms points to, those that have most of them first.
// param  symptoms: list of string  CURIEs of the symptoms, e.g. HP:0001369,HP:0002829
// param  limit: integer = 25  Rows at most
// column disease_id: string, disease_name: string, disease_name_zh: string, matched: integer
// column total: integer
// order  matched desc, total, disease_id
UNWIND $symptoms AS wanted
MATCH (s:Entity {id: wanted})<-[:HAS_SYMPTOM]-(d:Disease)
WITH d, count(DISTINCT s.id) AS matched
WITH d, matched, COUNT { MATCH (d)-[:HAS_SYMPTOM]->(t:Entity) } AS total
RETURN d.id AS disease_id, d.name AS disease_name, d.name_zh AS disease_name_zh, matched, total
ORDER BY matched DESC, total, disease_id
LIMIT $limit
