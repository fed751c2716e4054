// What a thing is connected to, in either direction; the relation's name tells which end is which.
// param  entity: string  CURIE, e.g. MONDO:0005393
// param  limit: integer = 200  Rows at most
// column relation: string, other_id: string, other_name: string, other_name_zh: string
// column other_type: string
// order  relation, other_id
MATCH (e:Entity {id: $entity})-[r]-(o:Entity)
WHERE o.id <> e.id AND type(r) <> 'PREDICTED'
RETURN DISTINCT type(r) AS relation, o.id AS other_id, o.name AS other_name,
       o.name_zh AS other_name_zh, o.type AS other_type
ORDER BY relation, other_id
LIMIT $limit
