// The dialogues of a run with the lowest mean score on a metric, over all turns and judges.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// param  metric: string = correctness  Metric of judgements, as evaluation.scores_by_kind gives it, e.g. history_taking
// param  limit: integer = 25  Rows at most
// column dialogue_id: string, case_id: string, entity_id: string, entity_name: string
// column entity_name_zh: string, area: string, kind: string, difficulty: string
// column end_reason: string, turns: integer, mean_score: float
// order  mean_score, dialogue_id, case_id, entity_id
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:ON_CASE]->(c:Case)
MATCH (d)-[:HAS_TURN]->(:Turn)<-[:JUDGES]-(j:Judgement)
WHERE j.metric = $metric AND j.score IS NOT NULL
OPTIONAL MATCH (c)-[:ABOUT]->(e:Entity)
RETURN d.id AS dialogue_id, c.id AS case_id, e.id AS entity_id, e.name AS entity_name,
       e.name_zh AS entity_name_zh, c.area AS area, c.kind AS kind,
       c.difficulty AS difficulty, d.end_reason AS end_reason, d.turns AS turns,
       floor(avg(j.score) * 1000.0 + 0.5) / 1000.0 AS mean_score
ORDER BY mean_score, dialogue_id, case_id, entity_id
LIMIT $limit
