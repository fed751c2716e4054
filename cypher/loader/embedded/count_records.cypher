// Nodes by label, of all labels at once: of entities, of each type of record, and of what is neither.
MATCH (n) RETURN label(n) AS label, count(*) AS nodes
