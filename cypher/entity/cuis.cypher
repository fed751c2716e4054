// The UMLS concepts of every entity, and who says so.
// column entity_id: string, cui: string, sources: list of string
// order  entity_id, cui
MATCH (e:Entity)-[r:HAS_CUI]->(c:Concept)
RETURN e.id AS entity_id, c.cui AS cui, r.sources AS sources
ORDER BY entity_id, cui
