// What a disease is treated by: drugs, procedures, behaviour, food.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column treatment_id: string, treatment_name: string, treatment_name_zh: string, treatment_type: string
// column publications: string, sources: list of string
// order  treatment_id
MATCH (d:Entity {id: $disease})-[r:TREATED_BY]->(t:Entity)
RETURN t.id AS treatment_id, t.name AS treatment_name, t.name_zh AS treatment_name_zh,
       t.type AS treatment_type, r.publications AS publications, r.sources AS sources
ORDER BY treatment_id
