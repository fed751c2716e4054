// What must not be taken together, or only with care: drugs, food, exposures.
// column head_id: string, relation: string, tail_id: string, sources: list of string
// order  head_id, relation, tail_id
MATCH (d:Entity)-[r:INTERACTS_WITH|CONTRAINDICATED_FOR]->(o:Entity)
WHERE o.id <> d.id AND d.type IN ['Drug', 'Food', 'Exposure'] AND o.type IN ['Drug', 'Food', 'Exposure']
RETURN d.id AS head_id, type(r) AS relation, o.id AS tail_id, r.sources AS sources
ORDER BY head_id, relation, tail_id
