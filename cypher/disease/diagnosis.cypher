// Tests, procedures and signs by which a disease is diagnosed.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column test_id: string, test_name: string, test_name_zh: string, test_type: string
// column publications: string, sources: list of string
// order  test_id
MATCH (d:Entity {id: $disease})-[r:DIAGNOSED_BY]->(t:Entity)
RETURN t.id AS test_id, t.name AS test_name, t.name_zh AS test_name_zh,
       t.type AS test_type, r.publications AS publications, r.sources AS sources
ORDER BY test_id
