// Give some nodes their vectors of one space.
UNWIND $rows AS row
MATCH (n:Entity {id: row[0]}) SET n.PROPERTY = row[1]
