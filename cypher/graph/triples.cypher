// The facts of some relations between things of some types, as triples.
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,TREATED_BY
// param  entity_types: list of string  Node types that both ends may have, e.g. Disease,Symptom,Drug
// column relation: string, head_id: string, tail_id: string
// order  relation, head_id, tail_id
MATCH (h:Entity)-[r]->(t:Entity)
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED'
  AND h.type IN $entity_types AND t.type IN $entity_types
RETURN type(r) AS relation, h.id AS head_id, t.id AS tail_id
ORDER BY relation, head_id, tail_id
