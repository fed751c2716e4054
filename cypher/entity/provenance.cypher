// Who says that one thing stands in a relation to another, and on what evidence.
// param  head: string  CURIE the relation goes from, e.g. MONDO:0005393
// param  relation: string  Relation type, e.g. HAS_SYMPTOM
// param  tail: string  CURIE the relation goes to, e.g. HP:0001369
// column head_id: string, head_name: string, relation: string, tail_id: string, tail_name: string
// column sources: list of string, publications: string, evidence: string
// column original_relation: string, frequency: float, frequency_text: string, layer: string
// order  head_id, relation, tail_id
MATCH (h:Entity {id: $head})-[r]->(t:Entity {id: $tail})
WHERE type(r) = $relation AND type(r) <> 'PREDICTED'
RETURN h.id AS head_id, h.name AS head_name, type(r) AS relation, t.id AS tail_id,
       t.name AS tail_name, r.sources AS sources, r.publications AS publications,
       r.evidence AS evidence, r.original_relation AS original_relation,
       r.frequency AS frequency, r.frequency_text AS frequency_text, r.layer AS layer
ORDER BY head_id, relation, tail_id
