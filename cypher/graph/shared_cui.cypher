// UMLS concepts that several things have, one row a thing.
// param  limit: integer = 200  Rows at most
// column concept_id: string, entity_id: string, entity_type: string, entity_name: string
// column sharing: integer
// order  sharing desc, concept_id, entity_id
MATCH (c:Concept)<-[:HAS_CUI]-(e:Entity)
WITH c, count(DISTINCT e.id) AS sharing
WHERE sharing > 1
MATCH (c)<-[:HAS_CUI]-(e:Entity)
RETURN c.id AS concept_id, e.id AS entity_id, e.type AS entity_type, e.name AS entity_name,
       sharing
ORDER BY sharing DESC, concept_id, entity_id
LIMIT $limit
