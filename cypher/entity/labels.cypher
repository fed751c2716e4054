// Types and names of several things at once; an id that the graph has not got gives no row.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,HP:0001369
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// order  entity_id
UNWIND $entities AS wanted
MATCH (e:Entity {id: wanted})
RETURN DISTINCT e.id AS entity_id, e.type AS entity_type, e.name AS entity_name, e.name_zh AS entity_name_zh
ORDER BY entity_id
