// Edges by relation that some layers added, of all relations at once.
MATCH ()-[r]->() WHERE r.layer IN $layers RETURN label(r) AS relation, count(*) AS edges
