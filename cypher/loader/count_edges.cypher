// Edges of one relation type. Names the label of one end only, so that Neo4j answers from its
// counters; edges between nodes of others, in a database that is shared, are not counted.
MATCH (:Entity)-[r:RELATION]->() RETURN count(r) AS edges
