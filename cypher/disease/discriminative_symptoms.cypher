// Symptoms that tell a disease from those it is confused with, the most telling first.
// param  disease: string  CURIE of the disease, e.g. MONDO:0005393
// param  limit: integer = 25  Rows at most
// column symptom_id: string, symptom_name: string, symptom_name_zh: string
// column discrimination: float, frequency: float, diseases: integer
// column flags: string, sources: list of string
// order  discrimination desc, diseases, symptom_id
MATCH (d:Disease {id: $disease})-[r:HAS_SYMPTOM]->(s:Entity)
WITH s, r, COUNT { MATCH (s)<-[:HAS_SYMPTOM]-(o:Entity) } AS diseases
RETURN s.id AS symptom_id, s.name AS symptom_name, s.name_zh AS symptom_name_zh,
       r.discrimination AS discrimination, r.frequency AS frequency, diseases,
       r.flags AS flags, r.sources AS sources
ORDER BY coalesce(discrimination, -1.0) DESC, diseases, symptom_id
LIMIT $limit
