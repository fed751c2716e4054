// What can be asked to tell diseases apart: their findings, and what these are directly a kind of, without what is known of the patient, is implied by it or is ruled out.
// param  diseases: list of string  CURIEs of diseases, e.g. MONDO:0005393,MONDO:0005068
// param  present: list of string  CURIEs of findings that the patient has, e.g. HP:0001369,HP:0002829
// param  absent: list of string = []  CURIEs of findings that the patient does not have, e.g. HP:0001945
// column disease_id: string, finding_id: string, finding_name: string, finding_name_zh: string
// column frequency: float, stated: integer
// order  disease_id, finding_id
UNWIND [$present, $absent, ['']] AS some
UNWIND some AS known
MATCH (h:Entity {id: known})
OPTIONAL MATCH (h)-[:IS_A*1..30]->(e:Entity)
WITH collect(DISTINCT CASE WHEN h.id IN $present THEN e.id END) AS implied
UNWIND [$present, $absent, ['']] AS some
UNWIND some AS known
MATCH (a:Entity {id: known})
OPTIONAL MATCH (k:Entity)-[:IS_A*1..30]->(a)
WITH implied, collect(DISTINCT CASE WHEN a.id IN $absent AND NOT a.id IN $present THEN k.id END) AS excluded
UNWIND $diseases AS given
MATCH (d:Entity {id: given})
// OPTIONAL, so that Ladybug goes from the diseases and does not read all edges
OPTIONAL MATCH (d)-[r:HAS_SYMPTOM]->(s:Entity)
// *1..1, so that Ladybug goes from each finding and does not join all of IS_A
OPTIONAL MATCH (s)-[:IS_A*1..1]->(g:Entity)
WITH implied, excluded, d.id AS disease, s.id AS symptom, coalesce(r.frequency, 0.3) AS often,
     collect(DISTINCT g.id) + [coalesce(s.id, '')] AS kinds
UNWIND kinds AS finding
WITH implied, excluded, disease, finding, max(often) AS frequency, max(CASE WHEN finding = symptom THEN 1 ELSE 0 END) AS stated
WHERE NOT finding IN $present AND NOT finding IN $absent AND NOT finding IN implied AND NOT finding IN excluded
MATCH (f:Entity {id: finding})
RETURN disease AS disease_id, f.id AS finding_id, f.name AS finding_name, f.name_zh AS finding_name_zh, frequency, stated
ORDER BY disease_id, finding_id
