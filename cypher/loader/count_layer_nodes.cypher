// Nodes of each type that some layers added.
MATCH (n:Entity) WHERE n.layer IN $layers RETURN n.type AS type, count(*) AS nodes ORDER BY type
