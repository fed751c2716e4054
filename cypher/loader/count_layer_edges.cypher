// Edges of one relation type that a layer added.
MATCH ()-[r:RELATION]->() WHERE r.layer = $layer RETURN count(r) AS edges
