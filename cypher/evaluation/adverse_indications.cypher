// What a drug is said to be for and to cause as well; mostly the one was read as the other.
// column drug_id: string, entity_id: string
// order  drug_id, entity_id
MATCH (d:Drug)-[:INDICATED_FOR]->(o:Entity)
MATCH (d)-[:HAS_ADVERSE_REACTION]->(o)
RETURN DISTINCT d.id AS drug_id, o.id AS entity_id
ORDER BY drug_id, entity_id
