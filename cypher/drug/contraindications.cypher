// What forbids a drug: conditions, people, food, procedures, and drugs, whichever of the two says so.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column reason_id: string, reason_name: string, reason_name_zh: string, reason_type: string
// column publications: string, sources: list of string, direction: string
// order  reason_type, publications, reason_id, direction
MATCH (d:Drug {id: $drug})-[:CONTRAINDICATED_FOR]-(o:Entity)
WHERE o.id <> d.id
WITH DISTINCT d.id AS own, o.id AS near
// out: this drug's statement says so; in: that of the other one
UNWIND ['out', 'in'] AS direction
WITH near, direction, CASE WHEN direction = 'out' THEN own ELSE near END AS head,
     CASE WHEN direction = 'out' THEN near ELSE own END AS tail
MATCH (h:Entity {id: head})-[r:CONTRAINDICATED_FOR]->(t:Entity {id: tail})
MATCH (n:Entity {id: near})
RETURN n.id AS reason_id, n.name AS reason_name, n.name_zh AS reason_name_zh,
       n.type AS reason_type, r.publications AS publications, r.sources AS sources, direction
ORDER BY reason_type, publications, reason_id, direction
