// How a run is judged on each kind of disease: the mean score of a turn, by metric and judge;
// the lowest first.
// param  run: string  Id of a run, as evaluation.runs gives it, e.g. run-1
// column kind: string, metric: string, judge: string, cases: integer, dialogues: integer
// column judged: integer, scored: integer, mean_score: float
// order  metric, judge, mean_score, kind
MATCH (:Run {id: $run})-[:HAS_DIALOGUE]->(d:Dialogue)-[:ON_CASE]->(c:Case)
MATCH (d)-[:HAS_TURN]->(:Turn)<-[:JUDGES]-(j:Judgement)
RETURN c.kind AS kind, j.metric AS metric, j.judge AS judge, count(DISTINCT c.id) AS cases,
       count(DISTINCT d.id) AS dialogues, count(j) AS judged, count(j.score) AS scored,
       floor(avg(j.score) * 1000.0 + 0.5) / 1000.0 AS mean_score
ORDER BY metric, judge, mean_score, kind
