// Things whose names have some words, the best first: the full-text index entity_names.
// param  words: string  Lucene query, e.g. gout
// param  limit: integer = 25  Rows at most
// column entity_id: string, entity_type: string, entity_name: string, entity_name_zh: string
// column score: float
// order  score desc, entity_id
CALL db.index.fulltext.queryNodes('entity_names', $words) YIELD node, score
RETURN node.id AS entity_id, node.type AS entity_type, node.name AS entity_name,
       node.name_zh AS entity_name_zh, score
ORDER BY score DESC, entity_id
LIMIT $limit
