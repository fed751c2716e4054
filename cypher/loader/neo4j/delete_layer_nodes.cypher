// Some nodes of a label that some layers added, until there are none.
MATCH (n:LABEL) WHERE n.layer IN $layers WITH n LIMIT $batch DETACH DELETE n RETURN count(*) AS deleted
