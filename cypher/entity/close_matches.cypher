// What a disease is as a finding of others, or a finding as a disease: facts about one hold for the other.
// param  entity: string  CURIE of a disease or finding, e.g. MONDO:0005578
// column other_id: string, other_name: string, other_name_zh: string, other_type: string
// column evidence: string, sources: list of string
// order  other_id
MATCH (e:Entity {id: $entity})-[r:CLOSE_MATCH]-(o:Entity)
WHERE o.id <> e.id
RETURN o.id AS other_id, o.name AS other_name, o.name_zh AS other_name_zh,
       o.type AS other_type, r.evidence AS evidence, r.sources AS sources
ORDER BY other_id
