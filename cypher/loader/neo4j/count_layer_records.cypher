// Nodes that are no entities and that some layers added, by label; reads every node.
MATCH (n) WHERE n.layer IN $layers AND NOT n:Entity UNWIND labels(n) AS label RETURN label, count(*) AS nodes
