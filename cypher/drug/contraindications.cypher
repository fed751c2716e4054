// What forbids a drug: conditions, people, food, procedures, and drugs, whichever of the two says so.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column reason_id: string, reason_name: string, reason_name_zh: string, reason_type: string
// column publications: string, sources: list of string, direction: string
// order  reason_type, publications, reason_id, direction
MATCH (d:Drug {id: $drug})-[:CONTRAINDICATED_FOR]-(o:Entity)
WHERE o.id <> d.id
WITH DISTINCT d, o
OPTIONAL MATCH (d)-[f:CONTRAINDICATED_FOR]->(o)
OPTIONAL MATCH (d)<-[b:CONTRAINDICATED_FOR]-(o)
// out: this drug's statement says so; in: that of the other one alone
RETURN o.id AS reason_id, o.name AS reason_name, o.name_zh AS reason_name_zh, o.type AS reason_type,
       coalesce(f.publications, b.publications) AS publications, coalesce(f.sources, b.sources) AS sources,
       CASE WHEN f IS NOT NULL THEN 'out' ELSE 'in' END AS direction
ORDER BY reason_type, publications, reason_id, direction
