// Which things of a type are kinds of which others.
// param  entity_type: string  One of the vocabulary, e.g. Symptom
// column child_id: string, parent_id: string
// order  child_id, parent_id
MATCH (c:Entity)-[:IS_A]->(p:Entity)
WHERE c.type = $entity_type
RETURN c.id AS child_id, p.id AS parent_id
ORDER BY child_id, parent_id
