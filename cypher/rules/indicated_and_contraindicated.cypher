// A drug that one source gives for a condition in which another forbids it.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (m:Drug)-[no:CONTRAINDICATED_FOR]->(d:Entity)
MATCH (m)-[yes:INDICATED_FOR|USED_OFF_LABEL_FOR|PALLIATES|TREATED_BY]-(e:Entity)
// The use is flagged, and not the contraindication: a contraindication that is wrong costs a patient
// less than a use that is wrong. Where one source says both: contraindicated_treatment.
// The condition itself, or the disease or finding that is the same (hypertension).
WHERE m.id <> e.id AND (e.id = d.id OR EXISTS { MATCH (d)-[:CLOSE_MATCH]->(e) }
  OR EXISTS { MATCH (e)-[:CLOSE_MATCH]->(d) }) AND NOT any(x IN no.sources WHERE x IN yes.sources)
WITH CASE WHEN type(yes) = 'TREATED_BY' THEN e.id ELSE m.id END AS head, type(yes) AS relation,
     CASE WHEN type(yes) = 'TREATED_BY' THEN m.id ELSE e.id END AS tail,
     m.name AS drug, d.name AS condition
RETURN DISTINCT head, relation, tail,
       'a drug is given for a condition in which another source forbids it' AS reason,
       coalesce(min(drug), '') + ' CONTRAINDICATED_FOR ' + coalesce(min(condition), '') + '; ' + relation + ' links the two as well' AS facts
ORDER BY head, relation, tail, reason
