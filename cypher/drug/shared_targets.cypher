// Drugs that act on genes a drug acts on, those that share most first.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// param  limit: integer = 25  Rows at most
// column drug_id: string, drug_name: string, drug_name_zh: string, shared: integer
// order  shared desc, drug_id
MATCH (d:Drug {id: $drug})-[:TARGETS]->(g:Gene)
MATCH (g)<-[:TARGETS]-(o:Drug)
WHERE o.id <> d.id
RETURN o.id AS drug_id, o.name AS drug_name, o.name_zh AS drug_name_zh,
       count(DISTINCT g.id) AS shared
ORDER BY shared DESC, drug_id
LIMIT $limit
