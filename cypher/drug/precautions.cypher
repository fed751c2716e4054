// What to watch when a drug is taken: instructions, conditions, people.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column precaution_id: string, precaution_name: string, precaution_name_zh: string, precaution_type: string
// column publications: string, sources: list of string
// order  precaution_id
MATCH (d:Drug {id: $drug})-[r:HAS_PRECAUTION]->(t:Entity)
RETURN t.id AS precaution_id, t.name AS precaution_name, t.name_zh AS precaution_name_zh,
       t.type AS precaution_type, r.publications AS publications, r.sources AS sources
ORDER BY precaution_id
