// A thing that is a kind of itself: from the tail of an IS_A edge IS_A leads back to its head.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (a:Entity)-[r:IS_A]->(b:Entity)
// One edge of a cycle at least is wrong, and the rule cannot know which: all of them are flagged.
// Cycles of up to 13 edges are found; through several cycles at once, longer paths are without number.
// An edge from a thing to itself is for self_loop.
// Most things have no kinds, and are part of no cycle.
WHERE a.id <> b.id AND EXISTS { MATCH (a)<-[:IS_A]-(c:Entity) }
WITH a, r, b
WHERE EXISTS { MATCH (b)-[:IS_A*1..12]->(a) }
WITH a.id AS head, type(r) AS relation, b.id AS tail, a.name AS kind, b.name AS parent
RETURN DISTINCT head, relation, tail, 'a thing is a kind of itself by way of others' AS reason,
       kind + ' IS_A ' + parent + '; ' + parent + ' is below ' + kind + ' too' AS facts
ORDER BY head, relation, tail, reason
