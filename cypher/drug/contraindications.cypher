// What forbids a drug: conditions, people, food, procedures, and drugs, whichever of the two says so.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column reason_id: string, reason_name: string, reason_name_zh: string, reason_type: string
// column publications: string, sources: list of string
// order  reason_type, publications, reason_id
MATCH (d:Drug {id: $drug})-[r:CONTRAINDICATED_FOR]-(t:Entity)
WHERE t.id <> d.id
RETURN DISTINCT t.id AS reason_id, t.name AS reason_name, t.name_zh AS reason_name_zh,
       t.type AS reason_type, r.publications AS publications, r.sources AS sources
ORDER BY reason_type, publications, reason_id
