// The names of every disease that has a finding.
// column entity_id: string, entity_type: string, name: string, name_zh: string
// column synonyms: list of string, synonyms_zh: list of string
// order  entity_id
MATCH (d:Disease)-[:HAS_SYMPTOM]->(:Entity)
RETURN DISTINCT d.id AS entity_id, d.type AS entity_type, d.name AS name, d.name_zh AS name_zh,
       d.synonyms AS synonyms, d.synonyms_zh AS synonyms_zh
ORDER BY entity_id
