// Things that go by one of some names, each name as kg.text.normalise leaves it.
// param  names: list of string  Normalised names, e.g. gout,关节炎
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// column normal_names: list of string, sources: list of string
// order  entity_id
WITH $names AS wanted
MATCH (e:Entity)
WHERE any(name IN e.normal_names WHERE name IN wanted)
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name,
       e.name_zh AS entity_name_zh, e.normal_names AS normal_names, e.sources AS sources
ORDER BY entity_id
