// Some nodes that a layer added, until there are none.
MATCH (n:Entity) WHERE n.layer = $layer WITH n LIMIT $batch DETACH DELETE n RETURN count(*) AS deleted
