// What judges said of a case in every run, turn by turn, and on what it stands.
// param  case_id: string  Id of a case, as evaluation.lowest_dialogues gives it, e.g. case-1
// column run_id: string, model: string, repeat: integer, number: integer, metric: string
// column judge: string, score: float, reason: string, based_on: string, judgement_id: string
// order  run_id, repeat, number, metric, judge, judgement_id
MATCH (r:Run)-[:HAS_DIALOGUE]->(d:Dialogue)-[:ON_CASE]->(:Case {id: $case_id})
MATCH (d)-[:HAS_TURN]->(t:Turn)<-[:JUDGES]-(j:Judgement)
RETURN r.id AS run_id, r.model AS model, d.repeat AS repeat, t.number AS number,
       j.metric AS metric, j.judge AS judge, j.score AS score, j.reason AS reason,
       j.facts AS based_on, j.id AS judgement_id
ORDER BY run_id, repeat, number, metric, judge, judgement_id
