// What each turn of a dialogue mentions, asks for and releases, and where in its text it stands.
// param  dialogue: string  Id of a dialogue, as evaluation.lowest_dialogues gives it, e.g. run-1/case-1/1
// column number: integer, role: string, relation: string, entity_id: string, entity_name: string
// column entity_name_zh: string, entity_type: string, start: integer, stop: integer, negated: boolean
// order  number, role desc, relation, start, stop, entity_id, negated
MATCH (:Dialogue {id: $dialogue})-[:HAS_TURN]->(t:Turn)-[r:MENTIONS|ASKS_FOR|RELEASES]->(e:Entity)
RETURN DISTINCT t.number AS number, t.role AS role, type(r) AS relation, e.id AS entity_id,
       e.name AS entity_name, e.name_zh AS entity_name_zh, e.type AS entity_type,
       r.start AS start, r.stop AS stop, r.negated AS negated
ORDER BY number, role DESC, relation, start, stop, entity_id, negated
