// Take the vectors of one space of some nodes away, until none has one.
MATCH (n:Entity) WHERE n.PROPERTY IS NOT NULL WITH n LIMIT $batch SET n.PROPERTY = null
