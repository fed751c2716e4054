// Every column of the edges of one relation between two labels that some layers did not add.
MATCH (a:HEAD)-[r:RELATION]->(b:TAIL) WHERE r.layer IS NULL OR NOT r.layer IN $layers
RETURN a.id AS head, b.id AS tail, COLUMNS
