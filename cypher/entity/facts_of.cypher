// What several things have by some relations, one row a fact.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,DRUGBANK:DB00437
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,INDICATED_FOR
// column head_id: string, relation: string, tail_id: string, tail_name: string
// column tail_name_zh: string, sources: list of string
// order  head_id, relation, tail_id
UNWIND $entities AS wanted
WITH DISTINCT wanted
MATCH (h:Entity {id: wanted})
// OPTIONAL, so that Ladybug goes from each thing and does not join all edges
OPTIONAL MATCH (h)-[r]->(t:Entity)
WITH h, r, t
WHERE t.id IS NOT NULL AND type(r) IN $relations AND type(r) <> 'PREDICTED' AND t.id <> h.id
RETURN h.id AS head_id, type(r) AS relation, t.id AS tail_id, t.name AS tail_name,
       t.name_zh AS tail_name_zh, r.sources AS sources
ORDER BY head_id, relation, tail_id
