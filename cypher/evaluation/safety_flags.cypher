// What doctors of a run said that a judge flagged as unsafe, and why.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// column dialogue_id: string, number: integer, judge: string, safety_flags: list of string
// column reason: string, text: string, judgement_id: string, turn_id: string
// order  dialogue_id, number, judgement_id, turn_id
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:HAS_TURN]->(t:Turn)<-[:JUDGES]-(j:Judgement)
WHERE size(j.safety_flags) > 0
RETURN d.id AS dialogue_id, t.number AS number, j.judge AS judge, j.safety_flags AS safety_flags,
       j.reason AS reason, t.text AS text, j.id AS judgement_id, t.id AS turn_id
ORDER BY dialogue_id, number, judgement_id, turn_id
