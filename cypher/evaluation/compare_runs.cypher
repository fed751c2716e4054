// Two runs on the same cases: the mean score of each dialogue on a metric, over all turns and
// judges, and how it ended; where the second is lower by most, first.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// param  other: string  Id of the run to compare it with, e.g. run-2
// param  metric: string = correctness  Metric of judgements, as evaluation.scores_by_kind gives it, e.g. history_taking
// column case_id: string, repeat: integer, area: string, kind: string, end_reason: string
// column other_end_reason: string, mean_score: float, other_mean_score: float, difference: float
// column dialogue_id: string, other_dialogue_id: string
// order  difference, case_id, dialogue_id, other_dialogue_id
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:ON_CASE]->(c:Case)
MATCH (d)-[:HAS_TURN]->(:Turn)<-[:JUDGES]-(j:Judgement)
WHERE j.metric = $metric AND j.score IS NOT NULL
WITH c, d, avg(j.score) AS one
MATCH (:Run {id: $other})-[:HAS_DIALOGUE]->(f:Dialogue)-[:ON_CASE]->(c)
WHERE f.repeat = d.repeat AND f.id <> d.id
MATCH (f)-[:HAS_TURN]->(:Turn)<-[:JUDGES]-(k:Judgement)
WHERE k.metric = $metric AND k.score IS NOT NULL
WITH c, d, f, one, avg(k.score) AS two
RETURN c.id AS case_id, d.repeat AS repeat, c.area AS area, c.kind AS kind,
       d.end_reason AS end_reason, f.end_reason AS other_end_reason,
       floor(one * 1000.0 + 0.5) / 1000.0 AS mean_score,
       floor(two * 1000.0 + 0.5) / 1000.0 AS other_mean_score,
       floor((two - one) * 1000.0 + 0.5) / 1000.0 AS difference,
       d.id AS dialogue_id, f.id AS other_dialogue_id
ORDER BY difference, case_id, dialogue_id, other_dialogue_id
