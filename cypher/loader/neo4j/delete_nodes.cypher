// Some nodes of a label, until there are none.
MATCH (n:LABEL) WITH n LIMIT $batch DETACH DELETE n RETURN count(*) AS deleted
