// Edges by relation, those that begin at an entity apart; reads every edge.
MATCH (n)-[r]->() RETURN n:Entity AS entity, type(r) AS relation, count(*) AS edges
