// A condition whose complication is its cause.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (a:Entity)-[:CAUSED_BY]->(b:Entity)
MATCH (a)-[r:COMPLICATED_BY]->(b)
WHERE a.id <> b.id
// The complication is flagged: it is the edge that is the wrong way round (diabetic kidney disease is
// caused by diabetes, and is a complication of it), unless the two keep each other going.
WITH a.id AS head, type(r) AS relation, b.id AS tail, a.name AS one, b.name AS other
RETURN DISTINCT head, relation, tail, 'a condition is complicated by what causes it' AS reason,
       one + ' CAUSED_BY ' + other + '; ' + one + ' COMPLICATED_BY ' + other AS facts
ORDER BY head, relation, tail, reason
