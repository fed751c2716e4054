// How many drugs have each of some things as an adverse reaction.
// param  entities: list of string  CURIEs, e.g. HP:0001369,HP:0002315
// column entity_id: string, drugs: integer
// order  entity_id
UNWIND $entities AS wanted
MATCH (e:Entity {id: wanted})
OPTIONAL MATCH (e)<-[:HAS_ADVERSE_REACTION]-(d:Drug)
RETURN e.id AS entity_id, count(DISTINCT d.id) AS drugs
ORDER BY entity_id
