// Which of some edges of one relation type there are, and which layer added each.
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})-[r:RELATION]->(b:Entity {id: row[1]})
RETURN row[0] AS head, row[1] AS tail, r.layer AS layer
