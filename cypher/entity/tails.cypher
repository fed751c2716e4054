// What a thing has by some relations: the tails of its facts, the most frequent first.
// param  head: string  CURIE, e.g. MONDO:0005393
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,TREATED_BY
// column relation: string, tail_id: string, tail_name: string, tail_name_zh: string, tail_type: string
// column frequency: float, publications: string, sources: list of string
// order  frequency desc, relation, tail_id
MATCH (h:Entity {id: $head})-[r]->(t:Entity)
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED' AND t.id <> h.id
RETURN type(r) AS relation, t.id AS tail_id, t.name AS tail_name, t.name_zh AS tail_name_zh,
       t.type AS tail_type, r.frequency AS frequency, r.publications AS publications,
       r.sources AS sources
ORDER BY coalesce(frequency, -1.0) DESC, relation, tail_id
