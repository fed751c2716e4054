// Edges that begin at a label; Neo4j answers from its counters.
MATCH (:LABEL)-[r]->() RETURN count(r) AS edges
