// What a disease may lead to.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column complication_id: string, complication_name: string, complication_name_zh: string, complication_type: string
// column publications: string, sources: list of string
// order  complication_id
MATCH (d:Entity {id: $disease})-[r:COMPLICATED_BY]->(t:Entity)
RETURN t.id AS complication_id, t.name AS complication_name, t.name_zh AS complication_name_zh,
       t.type AS complication_type, r.publications AS publications, r.sources AS sources
ORDER BY complication_id
