// Nodes that are no entities, by label; reads every node.
MATCH (n) WHERE NOT n:Entity UNWIND labels(n) AS label RETURN label, count(*) AS nodes
