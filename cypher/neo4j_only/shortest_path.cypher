// A shortest way between two things, of at most ten steps, one row a step.
// param  head: string  CURIE of one thing, e.g. MONDO:0005393
// param  tail: string  CURIE of the other thing, e.g. MONDO:0004979
// column step: integer, from_id: string, from_name: string, relation: string, to_id: string
// column to_name: string
// order  step, to_id
MATCH (a:Entity {id: $head}) MATCH (b:Entity {id: $tail})
WHERE a.id <> b.id
MATCH p = shortestPath((a)-[*1..10]-(b))
WHERE all(r IN relationships(p) WHERE type(r) <> 'PREDICTED')
  AND all(n IN nodes(p) WHERE n.type IS NOT NULL)
UNWIND range(0, length(p) - 1) AS at
RETURN at + 1 AS step, nodes(p)[at].id AS from_id, nodes(p)[at].name AS from_name,
       type(relationships(p)[at]) AS relation, nodes(p)[at + 1].id AS to_id,
       nodes(p)[at + 1].name AS to_name
ORDER BY step, to_id
