// Which nodes of a label there are, and which layer added each.
MATCH (n:LABEL) RETURN n.id AS id, n.layer AS layer
