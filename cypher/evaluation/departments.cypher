// Where every disease is managed.
// column disease_id: string, department_id: string, department_name: string, department_name_zh: string
// order  disease_id, department_id
MATCH (d:Disease)-[:MANAGED_IN]->(t:Department)
RETURN d.id AS disease_id, t.id AS department_id, t.name AS department_name,
       t.name_zh AS department_name_zh
ORDER BY disease_id, department_id
