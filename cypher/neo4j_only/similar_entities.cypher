// Things that a trained model puts near a thing, the nearest first; needs a layer with vectors (medkg embed write).
// param  entity: string  CURIE, e.g. MONDO:0005393
// param  limit: integer = 10  Rows at most
// param  space: string = entities  Space of the vectors
// column other_id: string, other_name: string, other_name_zh: string, other_type: string
// column similarity: float
// order  similarity desc, other_id
MATCH (e:Entity {id: $entity})
WHERE e['embedding_' + $space] IS NOT NULL
// The index may miss some: it is asked for more, and these are ranked by the vectors themselves.
CALL db.index.vector.queryNodes('medkg_embedding_' + $space, $limit * 10 + 100, e['embedding_' + $space])
  YIELD node
WITH e, node
WHERE node.id <> e.id
// Neo4j tells (1 + cosine) / 2.
RETURN node.id AS other_id, node.name AS other_name, node.name_zh AS other_name_zh,
       node.type AS other_type,
       2.0 * vector.similarity.cosine(node['embedding_' + $space], e['embedding_' + $space]) - 1.0 AS similarity
ORDER BY similarity DESC, other_id
LIMIT $limit
