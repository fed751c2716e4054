// Nodes of one type; a row holds the properties.
UNWIND $rows AS row
CREATE (n:Entity:NODE_TYPE) SET n = row
