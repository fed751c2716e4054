// What has kinds of a thing by some relations other than IS_A: the heads of the facts about them, those of the most kinds first.
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,CAUSED_BY
// param  tail: string  CURIE, e.g. HP:0001367
// param  limit: integer = 200  Rows at most
// column relation: string, head_id: string, head_name: string, head_name_zh: string, head_type: string
// column kinds: integer
// order  kinds desc, relation, head_id
MATCH (e:Entity {id: $tail})<-[:IS_A*1..30]-(k:Entity)
WHERE k.id <> e.id
WITH DISTINCT k
MATCH (k)<-[r]-(h:Entity)
WHERE type(r) IN $relations AND type(r) <> 'PREDICTED' AND type(r) <> 'IS_A'
  AND h.id <> k.id AND h.id <> $tail
RETURN type(r) AS relation, h.id AS head_id, h.name AS head_name, h.name_zh AS head_name_zh,
       h.type AS head_type, count(DISTINCT k.id) AS kinds
ORDER BY kinds DESC, relation, head_id
LIMIT $limit
