// Things with the most facts, as head or tail.
// param  limit: integer = 25  Rows at most
// column entity_id: string, entity_type: string, entity_name: string, facts: integer
// order  facts desc, entity_id
MATCH (e:Entity)-[r]-(o:Entity)
WHERE e.id <> o.id AND type(r) <> 'PREDICTED'
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name, count(*) AS facts
ORDER BY facts DESC, entity_id
LIMIT $limit
