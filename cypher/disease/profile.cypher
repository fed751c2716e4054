// What a disease's own facts say, one row a fact; what other things say of it is in entity.neighbours.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column relation: string, tail_id: string, tail_name: string, tail_name_zh: string, tail_type: string
// column frequency: float, publications: string, sources: list of string
// order  relation, tail_id
MATCH (d:Entity {id: $disease})-[r]->(t:Entity)
WHERE t.type <> 'Section' AND type(r) <> 'PREDICTED'
RETURN type(r) AS relation, t.id AS tail_id, t.name AS tail_name, t.name_zh AS tail_name_zh,
       t.type AS tail_type, r.frequency AS frequency,
       r.publications AS publications, r.sources AS sources
ORDER BY relation, tail_id
