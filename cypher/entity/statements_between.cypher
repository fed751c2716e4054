// What is said of some things about others, from the first to the second, with who says so.
// param  heads: list of string  CURIEs, e.g. DRUGBANK:DB00945
// param  tails: list of string  CURIEs, e.g. MONDO:0004979,HP:0002099
// column head_id: string, head_name: string, head_name_zh: string, relation: string
// column tail_id: string, tail_name: string, tail_name_zh: string, frequency: float
// column publications: string, sources: list of string
// order  head_id, relation, tail_id
UNWIND $heads AS wanted
WITH DISTINCT wanted, $tails AS others
MATCH (h:Entity {id: wanted})
// OPTIONAL, so that Ladybug goes from each thing and does not join all edges
OPTIONAL MATCH (h)-[r]->(t:Entity)
WITH h, r, t, others
WHERE t.id IS NOT NULL AND t.id IN others AND type(r) <> 'PREDICTED' AND t.id <> h.id
RETURN h.id AS head_id, h.name AS head_name, h.name_zh AS head_name_zh, type(r) AS relation,
       t.id AS tail_id, t.name AS tail_name, t.name_zh AS tail_name_zh,
       r.frequency AS frequency, r.publications AS publications, r.sources AS sources
ORDER BY head_id, relation, tail_id
