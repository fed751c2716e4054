// A dialogue as it went.
// param  dialogue: string  Id of a dialogue, as evaluation.lowest_dialogues gives it, e.g. run-1/case-1/1
// column number: integer, role: string, text: string, violations: list of string, turn_id: string
// order  number, role desc, turn_id
MATCH (:Dialogue {id: $dialogue})-[:HAS_TURN]->(t:Turn)
RETURN t.number AS number, t.role AS role, t.text AS text, t.violations AS violations,
       t.id AS turn_id
ORDER BY number, role DESC, turn_id
