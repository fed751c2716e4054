// A thing is related to itself.
// rule   reject
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Entity)-[r]->(b:Entity)
WHERE a.id = b.id
  // a protein may bind its own kind, and a gene may regulate itself; a prediction is no fact
  AND NOT type(r) IN ['INTERACTS_WITH', 'REGULATES', 'PREDICTED']
RETURN a.id AS head, type(r) AS relation, b.id AS tail, 'head and tail are one' AS reason,
       coalesce(a.name, '') + ' ' + type(r) + ' ' + coalesce(b.name, '') AS facts
ORDER BY head, relation, tail
