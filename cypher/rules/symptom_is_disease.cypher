// A finding that is the disease itself: by another name, or as its close match.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (d:Disease)
// Once for each disease, and not for each of its findings.
WITH d, d.normal_names AS names, EXISTS { MATCH (d)-[:CLOSE_MATCH]->(c:Entity) } AS close
MATCH (d)-[r:HAS_SYMPTOM|LACKS_SYMPTOM|COMPLICATED_BY]->(s:Entity)
// One name of either is a name of the other, spelling and case aside (normal_names). Names that are
// written too wide make it wrong at times: 'growth hormone excess' is a finding and a name of acromegaly.
WHERE d.id <> s.id AND (any(x IN s.normal_names WHERE x IN names)
  OR (close AND EXISTS { MATCH (d)-[:CLOSE_MATCH]->(s) }))
WITH d.id AS head, type(r) AS relation, s.id AS tail, d.name AS disease, s.name AS finding,
     CASE WHEN any(x IN s.normal_names WHERE x IN d.normal_names) THEN ' have a name in common' ELSE ' are close matches' END AS what
RETURN DISTINCT head, relation, tail, 'the finding is the disease itself by another name' AS reason,
       disease + ' (' + head + ') and ' + finding + ' (' + tail + ')' + what AS facts
ORDER BY head, relation, tail, reason
