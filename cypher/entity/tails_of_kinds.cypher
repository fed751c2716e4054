// What kinds of a thing have by some relations other than IS_A: the tails of their facts, those of the most kinds first.
// param  head: string  CURIE, e.g. MONDO:0005578
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,TREATED_BY
// param  limit: integer = 200  Rows at most
// column relation: string, tail_id: string, tail_name: string, tail_name_zh: string, tail_type: string
// column kinds: integer
// order  kinds desc, relation, tail_id
MATCH (e:Entity {id: $head})<-[:IS_A*1..30]-(k:Entity)
WHERE k.id <> e.id
WITH DISTINCT k
MATCH (k)-[r]->(t:Entity)
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED' AND type(r) <> 'IS_A'
  AND t.id <> k.id AND t.id <> $head
RETURN type(r) AS relation, t.id AS tail_id, t.name AS tail_name, t.name_zh AS tail_name_zh,
       t.type AS tail_type, count(DISTINCT k.id) AS kinds
ORDER BY kinds DESC, relation, tail_id
LIMIT $limit
