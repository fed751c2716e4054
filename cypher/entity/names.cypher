// The names of every entity that texts speak of, for an index to link text with.
// column entity_id: string, entity_type: string, name: string, name_zh: string
// column synonyms: list of string, synonyms_zh: list of string
// order  entity_id
MATCH (e:Entity)
WHERE NOT e.type IN ['Concept', 'Modifier', 'Section']
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS name, e.name_zh AS name_zh,
       e.synonyms AS synonyms, e.synonyms_zh AS synonyms_zh
ORDER BY entity_id
