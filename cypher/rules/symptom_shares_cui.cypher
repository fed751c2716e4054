// A finding that UMLS takes for the same concept as the disease.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (d:Disease)-[:HAS_CUI]->(c:Concept)
MATCH (s:Entity)-[:HAS_CUI]->(c)
WHERE d.id <> s.id
// A disease with several concepts is a syndrome that is named after its findings, and those it has.
  AND COUNT { MATCH (d)-[:HAS_CUI]->(:Concept) } = 1
MATCH (d)-[r:HAS_SYMPTOM|LACKS_SYMPTOM|COMPLICATED_BY]->(s)
WITH d.id AS head, type(r) AS relation, s.id AS tail, d.name AS disease, s.name AS finding, c.id AS cui
RETURN DISTINCT head, relation, tail, 'finding and disease are one concept of UMLS' AS reason,
       coalesce(min(disease), '') + ' HAS_CUI ' + coalesce(min(cui), '') + '; ' + coalesce(min(finding), '') + ' HAS_CUI ' + coalesce(min(cui), '') AS facts
ORDER BY head, relation, tail, reason
