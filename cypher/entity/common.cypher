// How common things are in medicine, as far as a graph shows it: how many sources name each, and how many things treat it, or are treated by it.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,HP:0001369
// column entity_id: string, named_by: integer, treatments: integer
// order  entity_id
UNWIND $entities AS wanted
MATCH (e:Entity {id: wanted})
OPTIONAL MATCH (e)-[:TREATED_BY|INDICATED_FOR]-(o:Entity)
WHERE o.id <> e.id
RETURN e.id AS entity_id, size(e.sources) AS named_by, count(DISTINCT o.id) AS treatments
ORDER BY entity_id
