// Departments that a disease is managed in.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column department_id: string, department_name: string, department_name_zh: string
// column publications: string, sources: list of string
// order  department_id
MATCH (d:Entity {id: $disease})-[r:MANAGED_IN]->(t:Department)
RETURN t.id AS department_id, t.name AS department_name, t.name_zh AS department_name_zh,
       r.publications AS publications, r.sources AS sources
ORDER BY department_id
