// Everything of some types by its id, with its name.
// param  entity_types: list of string  Node types, e.g. Disease,Drug
// column entity_id: string, entity_type: string, entity_name: string
// order  entity_id
MATCH (e:Entity)
WHERE e.type IN $entity_types
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name
ORDER BY entity_id
