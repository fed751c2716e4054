// Some nodes of the graph, until there are none.
MATCH (n:Entity) WITH n LIMIT $batch DETACH DELETE n RETURN count(*) AS deleted
