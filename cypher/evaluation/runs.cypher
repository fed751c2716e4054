// Runs that 'medkg eval layer' laid over the graph: who played, and how many dialogues were held.
// column run_id: string, task: string, language: string, model: string, patient: string
// column director: string, started: string, complete: boolean, dialogues: integer
// order  started, run_id
MATCH (r:Run)-[:HAS_DIALOGUE]->(d:Dialogue)
RETURN r.id AS run_id, r.task AS task, r.language AS language, r.model AS model,
       r.patient AS patient, r.director AS director, r.started AS started,
       r.complete AS complete, count(d) AS dialogues
ORDER BY started, run_id
