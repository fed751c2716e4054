// Every vector of a space, with the node that has it.
MATCH (v:TABLE) RETURN v.id AS id, CAST(v.embedding AS FLOAT[]) AS embedding ORDER BY id
