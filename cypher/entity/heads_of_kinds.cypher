// What has kinds of a thing by some relations other than IS_A: the heads of the facts about them, those of the most kinds first.
// param  relations: list of string  Relation types, e.g. HAS_SYMPTOM,CAUSED_BY
// param  tail: string  CURIE, e.g. HP:0001367
// param  limit: integer = 200  Rows at most
// column relation: string, head_id: string, head_name: string, head_name_zh: string, head_type: string
// column kinds: integer
// order  kinds desc, relation, head_id
MATCH (e:Entity {id: $tail})<-[:IS_A*1..30]-(k:Entity)
WHERE k.id <> e.id
WITH DISTINCT k.id AS kind
MATCH (k:Entity {id: kind})
// OPTIONAL, so that Ladybug goes from each kind and does not join all edges
OPTIONAL MATCH (k)<-[r]-(h:Entity)
WITH kind, r, h.id AS head
WHERE head <> kind AND head <> $tail
WITH kind, type(r) AS relation, head
WHERE relation IN $relations AND relation <> 'PREDICTED' AND relation <> 'IS_A'
WITH relation, head, count(DISTINCT kind) AS kinds
ORDER BY kinds DESC, relation, head
LIMIT $limit
MATCH (h:Entity {id: head})
RETURN relation, h.id AS head_id, h.name AS head_name, h.name_zh AS head_name_zh,
       h.type AS head_type, kinds
ORDER BY kinds DESC, relation, head_id
