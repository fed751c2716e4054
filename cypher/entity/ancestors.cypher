// What a thing is a kind of, the nearest first.
// param  entity: string  CURIE, e.g. HP:0001369
// param  limit: integer = 200  Rows at most
// column ancestor_id: string, ancestor_name: string, ancestor_name_zh: string, steps: integer
// order  steps, ancestor_id
MATCH p = (e:Entity {id: $entity})-[:IS_A*1..30]->(a:Entity)
WHERE a.id <> e.id
RETURN a.id AS ancestor_id, a.name AS ancestor_name, a.name_zh AS ancestor_name_zh, min(length(p)) AS steps
ORDER BY steps, ancestor_id
LIMIT $limit
