// The shortest ways between two things.
// param  head: string  CURIE of one thing, e.g. MONDO:0005393
// param  tail: string  CURIE of the other thing, e.g. MONDO:0008383
MATCH p = allShortestPaths((a:Entity {id: $head})-[*1..6]-(b:Entity {id: $tail}))
WHERE all(r IN relationships(p) WHERE type(r) <> 'PREDICTED')
  AND all(n IN nodes(p) WHERE n.type IS NOT NULL)
RETURN p
LIMIT 25
