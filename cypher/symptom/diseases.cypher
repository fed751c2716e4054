// What a symptom points to: diseases that have it, those with the fewest symptoms in all first.
// param  symptom: string  CURIE of the symptom, e.g. HP:0001369
// param  limit: integer = 100  Rows at most
// column disease_id: string, disease_name: string, disease_name_zh: string, frequency: float
// column symptoms: integer
// order  symptoms, disease_id
MATCH (s:Entity {id: $symptom})<-[r:HAS_SYMPTOM]-(d:Disease)
WITH d, r, COUNT { MATCH (d)-[:HAS_SYMPTOM]->(t:Entity) } AS symptoms
RETURN d.id AS disease_id, d.name AS disease_name, d.name_zh AS disease_name_zh,
       r.frequency AS frequency, symptoms
ORDER BY symptoms, disease_id
LIMIT $limit
