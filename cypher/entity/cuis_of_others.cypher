// The UMLS concepts of every entity but for those that one layer says, and who says so.
// param  layer: string  Name of the layer, e.g. cui
// column entity_id: string, cui: string, sources: list of string
// order  entity_id, cui
MATCH (e:Entity)-[r:HAS_CUI]->(c:Concept)
WHERE coalesce(r.layer, '') <> $layer
RETURN e.id AS entity_id, c.cui AS cui, r.sources AS sources
ORDER BY entity_id, cui
