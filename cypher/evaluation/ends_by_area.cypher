// How the dialogues of a run ended in each area of medicine; without a reason those that were cut off.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// column area: string, end_reason: string, dialogues: integer, mean_turns: float
// order  area, end_reason
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:ON_CASE]->(c:Case)
RETURN c.area AS area, d.end_reason AS end_reason, count(d) AS dialogues,
       floor(avg(d.turns) * 100.0 + 0.5) / 100.0 AS mean_turns
ORDER BY area, end_reason
