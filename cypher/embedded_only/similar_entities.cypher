// Things that a trained model puts near a thing, the nearest first; needs a layer with vectors (medkg embed write).
// param  entity: string  CURIE, e.g. MONDO:0005393
// param  limit: integer = 10  Rows at most
// param  space: string = entities  Space of the vectors
// column other_id: string, other_name: string, other_name_zh: string, other_type: string
// column similarity: float
// order  similarity desc, other_id
MATCH (v:Vector {space: $space})
// All first, then the one: the other way round the engine copies every vector, ten times as long.
MATCH (w:Vector {space: $space, id: $entity})
WHERE v.id <> w.id
WITH v.id AS near, array_cosine_similarity(v.embedding, w.embedding) AS likeness
ORDER BY likeness DESC, near
LIMIT $limit
MATCH (o:Entity {id: near})
RETURN o.id AS other_id, o.name AS other_name, o.name_zh AS other_name_zh,
       o.type AS other_type, toFloat(likeness) AS similarity
ORDER BY similarity DESC, other_id
