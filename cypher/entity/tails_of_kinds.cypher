// What kinds of a thing have by some relations other than IS_A: the tails of their facts, those of the most kinds first.
// param  head: string  CURIE, e.g. MONDO:0005578
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,TREATED_BY
// param  limit: integer = 200  Rows at most
// column relation: string, tail_id: string, tail_name: string, tail_name_zh: string, tail_type: string
// column kinds: integer
// order  kinds desc, relation, tail_id
MATCH (e:Entity {id: $head})<-[:IS_A*1..30]-(k:Entity)
WHERE k.id <> e.id
WITH DISTINCT k.id AS kind
MATCH (k:Entity {id: kind})
// OPTIONAL, so that Ladybug goes from each kind and does not join all edges
OPTIONAL MATCH (k)-[r]->(t:Entity)
WITH kind, r, t.id AS tail
WHERE tail <> kind AND tail <> $head
WITH kind, type(r) AS relation, tail
WHERE relation IN $relations AND relation <> 'PREDICTED' AND relation <> 'IS_A'
WITH relation, tail, count(DISTINCT kind) AS kinds
ORDER BY kinds DESC, relation, tail
LIMIT $limit
MATCH (t:Entity {id: tail})
RETURN relation, t.id AS tail_id, t.name AS tail_name, t.name_zh AS tail_name_zh,
       t.type AS tail_type, kinds
ORDER BY kinds DESC, relation, tail_id
