// Nodes of each type.
MATCH (n:Entity) RETURN n.type AS type, count(*) AS nodes ORDER BY type
