// Every column of the nodes that a layer did not add.
MATCH (n:Entity) WHERE n.layer IS NULL OR n.layer <> $layer
RETURN n.id AS id, n.type AS type, n.name AS name, n.name_zh AS name_zh,
       n.synonyms AS synonyms, n.synonyms_zh AS synonyms_zh, n.normal_names AS normal_names,
       n.definition AS definition, n.text AS text, n.cui AS cui, n.xrefs AS xrefs,
       n.sources AS sources, n.layer AS layer
