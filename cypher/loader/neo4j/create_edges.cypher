// Edges of one relation type; a head comes with its tails, each with the position of its properties.
UNWIND $heads AS head
MATCH (a:Entity {id: head[0]})
UNWIND head[1] AS tail
MATCH (b:Entity {id: tail[0]})
CREATE (a)-[r:RELATION]->(b) SET r = $properties[tail[1]]
