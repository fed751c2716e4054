// Edges of one relation type. Names no label, so that Neo4j answers from its counters.
MATCH ()-[r:RELATION]->() RETURN count(r) AS edges
