// Nodes of each type that a layer added.
MATCH (n:Entity) WHERE n.layer = $layer RETURN n.type AS type, count(*) AS nodes ORDER BY type
