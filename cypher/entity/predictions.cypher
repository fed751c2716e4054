// What a trained model takes for likely of a thing, likeliest first: no facts; needs a layer of predictions.
// param  entity: string  CURIE, e.g. MONDO:0005393
// param  limit: integer = 50  Rows at most
// column relation: string, direction: string, other_id: string, other_name: string
// column other_name_zh: string, other_type: string, probability: float, method: string
// order  probability desc, other_id, direction
MATCH (e:Entity {id: $entity})-[:PREDICTED]-(o:Entity)
WHERE o.id <> e.id
WITH DISTINCT e.id AS own, o.id AS near
UNWIND ['out', 'in'] AS direction
WITH near, direction, CASE WHEN direction = 'out' THEN own ELSE near END AS head,
     CASE WHEN direction = 'out' THEN near ELSE own END AS tail
MATCH (h:Entity {id: head})-[r:PREDICTED]->(t:Entity {id: tail})
MATCH (n:Entity {id: near})
RETURN r.original_relation AS relation, direction, n.id AS other_id,
       n.name AS other_name, n.name_zh AS other_name_zh, n.type AS other_type,
       r.score AS probability, r.method AS method
ORDER BY probability DESC, other_id, direction
LIMIT $limit
