// On what the facts about a thing by some relations rest: who says so, and in which words.
// param  tail: string  CURIE, e.g. MONDO:0005393
// param  relations: list of string  Relation types, e.g. INDICATED_FOR
// column other_id: string, relation: string, sources: list of string, original_relation: string
// column publications: string, evidence: string
// order  other_id, relation
MATCH (h:Entity)-[r]->(t:Entity {id: $tail})
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED' AND t.id <> h.id
RETURN h.id AS other_id, type(r) AS relation, r.sources AS sources,
       r.original_relation AS original_relation, r.publications AS publications,
       r.evidence AS evidence
ORDER BY other_id, relation
