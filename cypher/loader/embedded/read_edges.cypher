// Which edges of one relation type there are, and which layer added each.
MATCH (a:Entity)-[r:RELATION]->(b:Entity) RETURN a.id AS head, b.id AS tail, r.layer AS layer
