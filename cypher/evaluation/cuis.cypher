// The UMLS concepts of several things at once.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,HP:0001369
// column entity_id: string, cui: string
// order  entity_id, cui
UNWIND $entities AS given
MATCH (e:Entity {id: given})-[:HAS_CUI]->(c:Concept)
RETURN DISTINCT e.id AS entity_id, c.cui AS cui
ORDER BY entity_id, cui
