// Things of the same type that have a UMLS concept with a thing in common: other names for it.
// param  entity: string  CURIE, e.g. MONDO:0005393
// column other_id: string, other_name: string, other_name_zh: string, other_type: string
// order  other_id
MATCH (e:Entity {id: $entity})-[:HAS_CUI]->(c:Concept)
MATCH (c)<-[:HAS_CUI]-(o:Entity)
WHERE o.id <> e.id AND o.type = e.type
RETURN DISTINCT o.id AS other_id, o.name AS other_name, o.name_zh AS other_name_zh,
       o.type AS other_type
ORDER BY other_id
