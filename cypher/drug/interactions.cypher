// What a drug interacts with: drugs, food, genes, exposures.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column other_id: string, other_name: string, other_name_zh: string, other_type: string
// column evidence: string, publications: string, sources: list of string
// order  other_id
MATCH (d:Drug {id: $drug})-[r:INTERACTS_WITH]-(t:Entity)
WHERE t.id <> d.id
RETURN t.id AS other_id, t.name AS other_name, t.name_zh AS other_name_zh, t.type AS other_type,
       r.evidence AS evidence, r.publications AS publications, r.sources AS sources
ORDER BY other_id
