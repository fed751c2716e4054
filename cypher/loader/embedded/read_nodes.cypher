// Which nodes there are, and which layer added each.
MATCH (n:Entity) RETURN n.id AS id, n.layer AS layer
