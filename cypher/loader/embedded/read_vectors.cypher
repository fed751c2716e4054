// Every vector, with the node that has it.
MATCH (v:Vector) RETURN v.id AS id, CAST(v.embedding AS FLOAT[]) AS embedding ORDER BY id
