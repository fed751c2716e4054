// Findings that patients of a run had and the doctor never asked for: in how many dialogues,
// and in how many of these the patient told it unasked.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// param  limit: integer = 25  Rows at most
// column entity_id: string, entity_name: string, entity_name_zh: string
// column dialogues: integer, told: integer
// order  dialogues desc, entity_id
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)
OPTIONAL MATCH (d)-[:HAS_TURN]->(:Turn)-[:ASKS_FOR]->(a:Entity)
WITH d, collect(DISTINCT a.id) AS asked
OPTIONAL MATCH (d)-[:HAS_TURN]->(:Turn)-[r:RELEASES]->(b:Entity)
WITH d, asked, collect(CASE WHEN r.asked = true THEN b.id END) AS answered,
     collect(DISTINCT b.id) AS released
MATCH (d)-[:HAS_FINDING]->(e:Entity)
WHERE NOT e.id IN asked AND NOT e.id IN answered
RETURN e.id AS entity_id, e.name AS entity_name, e.name_zh AS entity_name_zh,
       count(d) AS dialogues, coalesce(sum(CASE WHEN e.id IN released THEN 1 ELSE 0 END), 0) AS told
ORDER BY dialogues DESC, entity_id
LIMIT $limit
