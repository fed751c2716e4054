// Things that have a text in one of their names: nearness 2 where it is a whole name, 1 where a name begins with it, else 0.
// param  text: string  Part of a name as kg.text.normalise leaves it, which medkg query sees to, e.g. arthr
// param  limit: integer = 25  Rows at most
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// column nearness: integer, sources: list of string
// order  nearness desc, entity_id
WITH $text AS wanted
MATCH (e:Entity)
WHERE wanted <> '' AND NOT e.type IN ['Concept', 'Modifier', 'Section']
  AND any(name IN e.normal_names WHERE name CONTAINS wanted)
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name,
       e.name_zh AS entity_name_zh,
       CASE WHEN wanted IN e.normal_names THEN 2
            WHEN any(name IN e.normal_names WHERE name STARTS WITH wanted) THEN 1
            ELSE 0 END AS nearness,
       e.sources AS sources
ORDER BY nearness DESC, entity_id
LIMIT $limit
