// Every symptom of every disease, with how often it is seen and who reports it, where sources say so.
// column disease_id: string, symptom_id: string, frequency: float
// column frequency_text: string, publications: string, sources: list of string
// order  disease_id, symptom_id
MATCH (d:Disease)-[r:HAS_SYMPTOM]->(s:Entity)
RETURN d.id AS disease_id, s.id AS symptom_id, r.frequency AS frequency,
       r.frequency_text AS frequency_text, r.publications AS publications, r.sources AS sources
ORDER BY disease_id, symptom_id
