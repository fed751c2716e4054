// What prevents a disease.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column measure_id: string, measure_name: string, measure_name_zh: string, measure_type: string
// column publications: string, sources: list of string
// order  measure_id
MATCH (d:Entity {id: $disease})-[r:PREVENTED_BY]->(t:Entity)
RETURN t.id AS measure_id, t.name AS measure_name, t.name_zh AS measure_name_zh,
       t.type AS measure_type, r.publications AS publications, r.sources AS sources
ORDER BY measure_id
