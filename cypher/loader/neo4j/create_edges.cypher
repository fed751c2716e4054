// Edges of one relation type; a row is head, tail and the position of its properties in $properties.
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]}) MATCH (b:Entity {id: row[1]})
CREATE (a)-[r:RELATION]->(b) SET r = $properties[row[2]]
