// What every drug that something forbids is for, what forbids it, and what to watch with it.
// column drug_id: string, relation: string, entity_id: string, entity_type: string
// column name: string, name_zh: string, sources: list of string, flags: string
// order  drug_id, relation, entity_id
MATCH (d:Drug)-[:CONTRAINDICATED_FOR]->(:Entity)
WITH DISTINCT d
MATCH (d)-[r:INDICATED_FOR|CONTRAINDICATED_FOR|HAS_PRECAUTION]->(o:Entity)
WHERE o.id <> d.id
RETURN d.id AS drug_id, type(r) AS relation, o.id AS entity_id, o.type AS entity_type,
       o.name AS name, o.name_zh AS name_zh, r.sources AS sources, r.flags AS flags
ORDER BY drug_id, relation, entity_id
