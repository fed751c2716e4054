// What causes a disease.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column cause_id: string, cause_name: string, cause_name_zh: string, cause_type: string
// column publications: string, sources: list of string
// order  cause_id
MATCH (d:Entity {id: $disease})-[r:CAUSED_BY]->(t:Entity)
RETURN t.id AS cause_id, t.name AS cause_name, t.name_zh AS cause_name_zh,
       t.type AS cause_type, r.publications AS publications, r.sources AS sources
ORDER BY cause_id
