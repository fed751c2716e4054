// Take the vectors of some nodes away, until none has one.
MATCH (n:Entity) WHERE n.embedding IS NOT NULL WITH n LIMIT $batch SET n.embedding = null
