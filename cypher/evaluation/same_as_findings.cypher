// Every disease that is also a finding of others, with that finding.
// column disease_id: string, symptom_id: string
// order  disease_id, symptom_id
MATCH (d:Disease)-[:CLOSE_MATCH]->(s:Entity)
RETURN d.id AS disease_id, s.id AS symptom_id
ORDER BY disease_id, symptom_id
