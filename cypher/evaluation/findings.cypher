// The names of everything that a disease has as a finding.
// column entity_id: string, entity_type: string, name: string, name_zh: string
// order  entity_id
MATCH (:Disease)-[:HAS_SYMPTOM]->(s:Entity)
RETURN DISTINCT s.id AS entity_id, s.type AS entity_type, s.name AS name, s.name_zh AS name_zh
ORDER BY entity_id
