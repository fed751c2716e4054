// Symptoms that a disease is said not to have.
// param  disease: string  CURIE of a disease, or of a finding, e.g. OMIM:147920
// column symptom_id: string, symptom_name: string, symptom_name_zh: string
// column publications: string, sources: list of string
// order  symptom_id
MATCH (d:Entity {id: $disease})-[r:LACKS_SYMPTOM]->(t:Entity)
RETURN t.id AS symptom_id, t.name AS symptom_name, t.name_zh AS symptom_name_zh,
       r.publications AS publications, r.sources AS sources
ORDER BY symptom_id
