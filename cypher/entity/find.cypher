// Things that have a text in one of their names: nearness 2 where it is a whole name, 1 where a name begins with it, else 0.
// param  text: string  Part of a name, in small letters or as a main name has it, e.g. arthr
// param  limit: integer = 25  Rows at most
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// column nearness: integer, sources: list of string
// order  nearness desc, entity_id
WITH $text AS wanted
MATCH (e:Entity)
WHERE wanted <> '' AND NOT e.type IN ['Concept', 'Modifier', 'Section']
  AND (e.name CONTAINS wanted OR coalesce(e.name_zh, '') CONTAINS wanted
    OR any(name IN e.normal_names WHERE name CONTAINS wanted))
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name,
       e.name_zh AS entity_name_zh,
       CASE WHEN e.name = wanted OR coalesce(e.name_zh, '') = wanted OR wanted IN e.normal_names
            THEN 2
            WHEN e.name STARTS WITH wanted OR coalesce(e.name_zh, '') STARTS WITH wanted
              OR any(name IN e.normal_names WHERE name STARTS WITH wanted)
            THEN 1 ELSE 0 END AS nearness,
       e.sources AS sources
ORDER BY nearness DESC, entity_id
LIMIT $limit
