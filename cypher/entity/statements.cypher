// What is said directly between two things, in either direction, with who says so.
// param  one: string  CURIE, e.g. MONDO:0005393
// param  other: string  CURIE, e.g. DRUGBANK:DB00437
// column head_id: string, head_name: string, relation: string, tail_id: string, tail_name: string
// column frequency: float, evidence: string, publications: string, sources: list of string
// order  head_id, relation, tail_id
MATCH (a:Entity)-[r]->(b:Entity)
WHERE a.id IN [$one, $other] AND b.id IN [$one, $other] AND a.id <> b.id
  AND type(r) <> 'PREDICTED'
RETURN a.id AS head_id, a.name AS head_name, type(r) AS relation, b.id AS tail_id,
       b.name AS tail_name, r.frequency AS frequency, r.evidence AS evidence,
       r.publications AS publications, r.sources AS sources
ORDER BY head_id, relation, tail_id
