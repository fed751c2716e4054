// Give some nodes their vectors.
UNWIND $rows AS row
MATCH (n:Entity {id: row[0]}) SET n.embedding = row[1]
