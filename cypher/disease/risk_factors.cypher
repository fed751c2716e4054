// What makes a disease more likely.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column factor_id: string, factor_name: string, factor_name_zh: string, factor_type: string
// column publications: string, sources: list of string
// order  factor_id
MATCH (d:Entity {id: $disease})-[r:HAS_RISK_FACTOR]->(t:Entity)
RETURN t.id AS factor_id, t.name AS factor_name, t.name_zh AS factor_name_zh,
       t.type AS factor_type, r.publications AS publications, r.sources AS sources
ORDER BY factor_id
