// What has several things by some relations, one row a fact.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,HP:0001369
// param  relations: list of string  Relation types, e.g. INDICATED_FOR,HAS_SYMPTOM
// column tail_id: string, relation: string, head_id: string, head_name: string
// column head_name_zh: string, sources: list of string
// order  tail_id, relation, head_id
UNWIND $entities AS wanted
WITH DISTINCT wanted
MATCH (t:Entity {id: wanted})
// OPTIONAL, so that Ladybug goes from each thing and does not join all edges
OPTIONAL MATCH (t)<-[r]-(h:Entity)
WITH t, r, h
WHERE h.id IS NOT NULL AND type(r) IN $relations AND type(r) <> 'PREDICTED' AND t.id <> h.id
RETURN t.id AS tail_id, type(r) AS relation, h.id AS head_id, h.name AS head_name,
       h.name_zh AS head_name_zh, r.sources AS sources
ORDER BY tail_id, relation, head_id
