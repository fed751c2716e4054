// Conditions that go together: one leads to the other, or makes it likelier.
// column head_id: string, relation: string, tail_id: string, sources: list of string
// order  head_id, relation, tail_id
MATCH (d:Entity)-[r:COMPLICATED_BY|HAS_RISK_FACTOR]->(o:Entity)
WHERE o.id <> d.id AND d.type IN ['Disease', 'Symptom'] AND o.type IN ['Disease', 'Symptom']
RETURN d.id AS head_id, type(r) AS relation, o.id AS tail_id, r.sources AS sources
ORDER BY head_id, relation, tail_id
