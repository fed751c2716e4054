// The subgraph of a question: what things are connected with by the relations that it asks for, one row a fact and source.
// param  entities: list of string  CURIEs, e.g. MONDO:0005393,HP:0001369
// param  outgoing: list of string  Relation types of facts that start at them, e.g. HAS_SYMPTOM,TREATED_BY
// param  incoming: list of string  Relation types of facts that end at them, e.g. INDICATED_FOR
// param  limit: integer = 5000  Rows at most
// column entity_id: string, sought: string, relation: string, other_id: string
// column other_name: string, other_name_zh: string, other_type: string, frequency: float
// column discrimination: float, source: string
// order  frequency desc, entity_id, sought, relation, other_id, source
UNWIND $entities AS wanted
WITH DISTINCT wanted
MATCH (e:Entity {id: wanted})
UNWIND ['head', 'tail'] AS sought
// OPTIONAL, so that Ladybug goes from each thing and does not join all edges; of the two matches
// only the one for the end that is sought finds anything
OPTIONAL MATCH (e)-[out]->(t:Entity)
WHERE sought = 'tail' AND type(out) IN $outgoing
OPTIONAL MATCH (e)<-[into]-(h:Entity)
WHERE sought = 'head' AND type(into) IN $incoming
WITH e.id AS entity, sought,
     CASE WHEN out IS NOT NULL THEN type(out) WHEN into IS NOT NULL THEN type(into) END AS relation,
     CASE WHEN out IS NOT NULL THEN t.id WHEN into IS NOT NULL THEN h.id END AS other,
     CASE WHEN out IS NOT NULL THEN out.frequency ELSE into.frequency END AS stated,
     CASE WHEN out IS NOT NULL THEN out.discrimination ELSE into.discrimination END AS score,
     CASE WHEN out IS NOT NULL THEN out.sources ELSE into.sources END AS sources
WHERE other IS NOT NULL AND other <> entity AND relation <> 'PREDICTED' AND sources IS NOT NULL
UNWIND sources AS source
WITH entity, sought, relation, other, source, max(stated) AS frequency,
     max(score) AS discrimination
ORDER BY coalesce(frequency, -1.0) DESC, entity, sought, relation, other, source
LIMIT $limit
MATCH (o:Entity {id: other})
RETURN entity AS entity_id, sought, relation, o.id AS other_id, o.name AS other_name,
       o.name_zh AS other_name_zh, o.type AS other_type, frequency, discrimination, source
ORDER BY coalesce(frequency, -1.0) DESC, entity_id, sought, relation, other_id, source
