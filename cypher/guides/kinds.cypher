// What a thing is a kind of, up to the root.
// param  entity: string  CURIE, e.g. HP:0001369
MATCH p = (e:Entity {id: $entity})-[:IS_A*1..30]->(a:Entity)
RETURN p
LIMIT 100
