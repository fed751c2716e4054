// What is known of one thing itself.
// param  entity: string  CURIE, e.g. MONDO:0005393
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// column synonyms: list of string, synonyms_zh: list of string, definition: string
// column xrefs: list of string, sources: list of string, layer: string
// order  entity_id
MATCH (e:Entity {id: $entity})
RETURN e.id AS entity_id, e.type AS entity_type, e.name AS entity_name,
       e.name_zh AS entity_name_zh, e.synonyms AS synonyms, e.synonyms_zh AS synonyms_zh,
       e.definition AS definition, e.xrefs AS xrefs, e.sources AS sources, e.layer AS layer
ORDER BY entity_id
