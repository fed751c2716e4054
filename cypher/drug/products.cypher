// Products that have a drug in them, and what each treats. Chinese sources name what is on sale.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column product_id: string, product_name: string, product_name_zh: string
// column condition_id: string, condition_name: string, condition_name_zh: string, sources: list of string
// order  product_id, condition_id
MATCH (p:Drug)-[:HAS_INGREDIENT]->(d:Drug {id: $drug}), (c:Entity)-[r:TREATED_BY]->(p)
RETURN p.id AS product_id, p.name AS product_name, p.name_zh AS product_name_zh,
       c.id AS condition_id, c.name AS condition_name, c.name_zh AS condition_name_zh,
       r.sources AS sources
ORDER BY product_id, condition_id
