// Shortest ways between two things: one step, or two over a third thing.
// param  head: string  CURIE of one thing, e.g. MONDO:0005393
// param  tail: string  CURIE of the other thing, e.g. MONDO:0008171
// param  limit: integer = 25  Rows at most
// column steps: integer, first_relation: string, via_id: string, via_name: string
// column second_relation: string
// order  steps, via_id, first_relation, second_relation
MATCH (a:Entity {id: $head})-[q]-(m:Entity)
WHERE m.id <> a.id AND type(q) <> 'PREDICTED'
OPTIONAL MATCH (m)-[r]-(b:Entity {id: $tail})
WHERE m.id <> b.id AND type(r) <> 'PREDICTED'
WITH a, q, m, r, b
WHERE (m.id = $tail OR b.id IS NOT NULL) AND a.id <> $tail
RETURN DISTINCT CASE WHEN m.id = $tail THEN 1 ELSE 2 END AS steps, type(q) AS first_relation,
       m.id AS via_id, m.name AS via_name, CASE WHEN r IS NOT NULL THEN type(r) END AS second_relation
ORDER BY steps, via_id, first_relation, second_relation
LIMIT $limit
