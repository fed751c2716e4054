// How many things of each type there are.
// column entity_type: string, entities: integer
// order  entities desc, entity_type
MATCH (e:Entity)
RETURN e.type AS entity_type, count(*) AS entities
ORDER BY entities DESC, entity_type
