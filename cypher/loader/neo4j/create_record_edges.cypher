// Edges of one relation of records between two labels; a row holds the ends and the properties.
UNWIND $rows AS row
MATCH (a:HEAD {id: row[0]})
MATCH (b:TAIL {id: row[1]})
CREATE (a)-[r:RELATION]->(b) SET r = row[2]
