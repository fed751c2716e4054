// How many facts of each relation there are.
// column relation: string, facts: integer
// order  facts desc, relation
MATCH (h:Entity)-[r]->(t:Entity)
RETURN type(r) AS relation, count(*) AS facts
ORDER BY facts DESC, relation
