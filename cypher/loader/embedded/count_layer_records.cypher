// Nodes by label that some layers added, of all labels at once.
MATCH (n) WHERE n.layer IN $layers RETURN label(n) AS label, count(*) AS nodes
