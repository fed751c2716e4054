// What each of some things is a kind of, near or far; of a disease, the finding that it is as well.
// param  things: list of string  CURIEs, e.g. HP:0001369,HP:0030839
// column thing_id: string, kind_id: string
// order  thing_id, kind_id
UNWIND $things AS given
MATCH (t:Entity {id: given})
OPTIONAL MATCH (t)-[:IS_A|CLOSE_MATCH*1..30]->(k:Entity)
WITH t, k
WHERE k.id IS NOT NULL AND k.id <> t.id
RETURN DISTINCT t.id AS thing_id, k.id AS kind_id
ORDER BY thing_id, kind_id
