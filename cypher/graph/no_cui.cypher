// Things of a type that no UMLS concept is known for.
// param  entity_type: string  Node type, e.g. Disease
// param  limit: integer = 100  Rows at most
// column entity_id: string, entity_name: string, entity_name_zh: string, sources: list of string
// order  entity_id
MATCH (e:Entity {type: $entity_type})
WHERE NOT EXISTS { MATCH (e)-[:HAS_CUI]->(c:Concept) }
RETURN e.id AS entity_id, e.name AS entity_name, e.name_zh AS entity_name_zh,
       e.sources AS sources
ORDER BY entity_id
LIMIT $limit
