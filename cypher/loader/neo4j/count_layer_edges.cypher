// Edges by relation that some layers added; reads every edge.
MATCH ()-[r]->() WHERE r.layer IN $layers RETURN type(r) AS relation, count(*) AS edges
