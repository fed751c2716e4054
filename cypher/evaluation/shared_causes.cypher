// What causes both of two diseases, and the genes of both, with how many diseases each has to do with.
// param  disease: string  CURIE of a disease, or of a finding, e.g. OMIM:154700
// param  other: string  CURIE of another one, e.g. OMIM:604308
// column relation: string, via_id: string, via_name: string, via_name_zh: string, via_type: string
// column diseases: integer, sources: list of string
// order  diseases, relation, via_id
MATCH (a:Entity {id: $disease})
OPTIONAL MATCH (a)-[q:CAUSED_BY|ASSOCIATED_WITH]-(v:Entity)
WHERE a.id <> v.id
WITH q, v
WHERE v.id IS NOT NULL
WITH DISTINCT type(q) AS relation, v.id AS via
MATCH (v:Entity {id: via})
OPTIONAL MATCH (v)-[r:CAUSED_BY|ASSOCIATED_WITH]-(d:Entity)
WHERE v.id <> d.id
WITH relation, v, r, d
WHERE CASE WHEN r IS NOT NULL THEN type(r) END = relation
WITH relation, v, count(DISTINCT d.id) AS diseases, max(CASE WHEN d.id = $other THEN 1 ELSE 0 END) AS of_both
WHERE of_both = 1
RETURN relation, v.id AS via_id, v.name AS via_name, v.name_zh AS via_name_zh, v.type AS via_type, diseases, v.sources AS sources
ORDER BY diseases, relation, via_id
