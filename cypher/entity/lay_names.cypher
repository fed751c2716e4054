// Everyday words for things, as sources give them.
// param  entities: list of string  CURIEs, e.g. HP:0001945,MONDO:0005393
// column entity_id: string, lay_names: list of string, lay_names_zh: list of string
// order  entity_id
UNWIND $entities AS given
MATCH (e:Entity {id: given})
WHERE size(e.lay_names) + size(e.lay_names_zh) > 0
RETURN DISTINCT e.id AS entity_id, e.lay_names AS lay_names, e.lay_names_zh AS lay_names_zh
ORDER BY entity_id
