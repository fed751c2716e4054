// The importer leaves an empty list out; put it in for some nodes, until there are none.
MATCH (n:Entity)
WHERE n.synonyms IS NULL OR n.synonyms_zh IS NULL OR n.normal_names IS NULL OR n.xrefs IS NULL
   OR n.sources IS NULL OR n.lay_names IS NULL OR n.lay_names_zh IS NULL
WITH n LIMIT $batch
SET n.synonyms = coalesce(n.synonyms, []), n.synonyms_zh = coalesce(n.synonyms_zh, []),
    n.normal_names = coalesce(n.normal_names, []), n.xrefs = coalesce(n.xrefs, []),
    n.sources = coalesce(n.sources, []), n.lay_names = coalesce(n.lay_names, []),
    n.lay_names_zh = coalesce(n.lay_names_zh, [])
