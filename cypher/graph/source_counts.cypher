// How many facts of each relation each source says.
// column source: string, relation: string, facts: integer
// order  source, relation
MATCH (h:Entity)-[r]->(t:Entity)
WHERE type(r) <> 'PREDICTED'
UNWIND r.sources AS source
RETURN source, type(r) AS relation, count(*) AS facts
ORDER BY source, relation
