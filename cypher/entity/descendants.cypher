// What are kinds of a thing, the nearest first.
// param  entity: string  CURIE, e.g. HP:0001367
// param  limit: integer = 200  Rows at most
// column descendant_id: string, descendant_name: string, descendant_name_zh: string, steps: integer
// order  steps, descendant_id
MATCH p = (e:Entity {id: $entity})<-[:IS_A*1..30]-(a:Entity)
WHERE a.id <> e.id
RETURN a.id AS descendant_id, a.name AS descendant_name, a.name_zh AS descendant_name_zh, min(length(p)) AS steps
ORDER BY steps, descendant_id
LIMIT $limit
