// What a drug is indicated for.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column condition_id: string, condition_name: string, condition_name_zh: string, condition_type: string
// column publications: string, sources: list of string
// order  condition_id
MATCH (d:Drug {id: $drug})-[r:INDICATED_FOR]->(t:Entity)
RETURN t.id AS condition_id, t.name AS condition_name, t.name_zh AS condition_name_zh,
       t.type AS condition_type, r.publications AS publications, r.sources AS sources
ORDER BY condition_id
