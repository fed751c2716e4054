// A finding that a disease is said not to have, while it is said to have it or a kind of it.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (d:Disease)-[no:LACKS_SYMPTOM]->(absent:Entity)
// LACKS_SYMPTOM says that a disease is not characterised by a finding (the NOT rows of HPO's
// annotations). Whoever has ventricular arrhythmia has arrhythmia. It is no clash where fewer than 30 %
// of patients have the finding (HPO: occasional, very rare), or where one and the same publication
// tells of patients with it and without.
MATCH (d)-[yes:HAS_SYMPTOM]->(present:Entity)
WHERE coalesce(yes.frequency, 1.0) >= 0.3
  AND NOT coalesce(no.publications, 'no') = coalesce(yes.publications, 'yes')
  AND (present.id = absent.id OR EXISTS { MATCH (present)-[:IS_A*1..30]->(absent) })
UNWIND [type(no), type(yes)] AS relation
WITH d, no, yes, absent, present, relation
// Who says both saw the finding in some patients: what is doubted then is that the disease lacks it.
WHERE relation = 'LACKS_SYMPTOM' OR NOT any(x IN no.sources WHERE x IN yes.sources)
WITH d.id AS head, relation,
     CASE WHEN relation = 'LACKS_SYMPTOM' THEN absent.id ELSE present.id END AS tail,
     min(CASE WHEN relation = 'LACKS_SYMPTOM' THEN present.id ELSE absent.id END) AS other
WITH head, relation, tail,
     CASE WHEN relation = 'LACKS_SYMPTOM' THEN tail ELSE other END AS absent_id,
     CASE WHEN relation = 'LACKS_SYMPTOM' THEN other ELSE tail END AS present_id
MATCH (d:Disease {id: head})-[no:LACKS_SYMPTOM]->(absent:Entity)
WHERE absent.id = absent_id
MATCH (d)-[yes:HAS_SYMPTOM]->(present:Entity)
WHERE present.id = present_id
RETURN DISTINCT head, relation, tail, 'a disease has a finding that it lacks' AS reason,
       d.name + ' LACKS_SYMPTOM ' + absent.name + ' (' + coalesce(no.publications, 'no reference') + '); '
         + d.name + ' HAS_SYMPTOM ' + present.name + ' (' + coalesce(yes.frequency_text, 'frequency not given')
         + '; ' + coalesce(yes.publications, 'no reference') + ')' AS facts
ORDER BY head, relation, tail, reason
