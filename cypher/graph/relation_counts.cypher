// How many facts of each relation there are.
// column relation: string, facts: integer
// order  facts desc, relation
MATCH (h:Entity)-[r]->(t:Entity)
WHERE type(r) <> 'PREDICTED'
RETURN type(r) AS relation, count(*) AS facts
ORDER BY facts DESC, relation
