// What has a thing by some relations: the heads of the facts about it, the most frequent first.
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,CAUSED_BY
// param  tail: string  CURIE, e.g. HP:0001369
// column relation: string, head_id: string, head_name: string, head_name_zh: string, head_type: string
// column frequency: float, publications: string, sources: list of string
// order  frequency desc, relation, head_id
MATCH (h:Entity)-[r]->(t:Entity {id: $tail})
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED' AND h.id <> t.id
RETURN type(r) AS relation, h.id AS head_id, h.name AS head_name, h.name_zh AS head_name_zh,
       h.type AS head_type, r.frequency AS frequency, r.publications AS publications,
       r.sources AS sources
ORDER BY coalesce(frequency, -1.0) DESC, relation, head_id
