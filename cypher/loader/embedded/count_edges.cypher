// Edges by relation, of all relations at once: each statement costs the engine more than a small graph.
MATCH ()-[r]->() RETURN label(r) AS relation, count(*) AS edges
