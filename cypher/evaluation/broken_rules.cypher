// What patients of a run said against the rules, with the rules and what each is about.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// column dialogue_id: string, number: integer, violations: list of string
// column violations_about: list of string, text: string, turn_id: string
// order  dialogue_id, number, turn_id
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:HAS_TURN]->(t:Turn)
WHERE size(t.violations) > 0
RETURN d.id AS dialogue_id, t.number AS number, t.violations AS violations,
       t.violations_about AS violations_about, t.text AS text, t.id AS turn_id
ORDER BY dialogue_id, number, turn_id
