// Drugs to avoid, or to take with care, with a condition: a disease, symptom or group of people.
// param  condition: string  CURIE of the condition, e.g. MONDO:0004979
// column drug_id: string, drug_name: string, drug_name_zh: string, relation: string
// column publications: string, sources: list of string
// order  relation, drug_id
MATCH (c:Entity {id: $condition})<-[r:CONTRAINDICATED_FOR|HAS_PRECAUTION]-(d:Drug)
RETURN d.id AS drug_id, d.name AS drug_name, d.name_zh AS drug_name_zh, type(r) AS relation,
       r.publications AS publications, r.sources AS sources
ORDER BY relation, drug_id
