// Drugs for a disease, by any relation that says so: treated by, indicated for, used off label.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column drug_id: string, drug_name: string, drug_name_zh: string, relation: string
// column publications: string, sources: list of string
// order  drug_id, relation
MATCH (d:Entity {id: $disease})-[r:TREATED_BY|INDICATED_FOR|USED_OFF_LABEL_FOR]-(m:Drug)
WHERE d.id <> m.id
RETURN m.id AS drug_id, m.name AS drug_name, m.name_zh AS drug_name_zh, type(r) AS relation,
       r.publications AS publications, r.sources AS sources
ORDER BY drug_id, relation
