// Every finding of every disease, with what cases are drawn by.
// column disease_id: string, symptom_id: string, frequency: float, discrimination: float
// column sources: list of string, flags: string
// order  disease_id, symptom_id
MATCH (d:Disease)-[r:HAS_SYMPTOM]->(s:Entity)
RETURN d.id AS disease_id, s.id AS symptom_id, r.frequency AS frequency,
       r.discrimination AS discrimination, r.sources AS sources, r.flags AS flags
ORDER BY disease_id, symptom_id
