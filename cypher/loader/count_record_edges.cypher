// Edges of one relation of records.
MATCH ()-[r:RELATION]->() RETURN count(r) AS edges
