// A condition that causes what causes it.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (a:Entity)-[r:CAUSED_BY]->(b:Entity)
MATCH (b)-[:CAUSED_BY]->(a)
WHERE a.id <> b.id
// Both edges are flagged: one of them is the wrong way round, unless the two keep each other going
// (heart failure and atrial fibrillation).
WITH a.id AS head, type(r) AS relation, b.id AS tail, a.name AS one, b.name AS other
RETURN DISTINCT head, relation, tail, 'a condition causes what causes it' AS reason,
       one + ' CAUSED_BY ' + other + '; ' + other + ' CAUSED_BY ' + one AS facts
ORDER BY head, relation, tail, reason
