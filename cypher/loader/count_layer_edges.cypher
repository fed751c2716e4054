// Edges of one relation that some layers added.
MATCH ()-[r:RELATION]->() WHERE r.layer IN $layers RETURN count(r) AS edges
