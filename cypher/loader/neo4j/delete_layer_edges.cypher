// Some edges of one relation that some layers added, until there are none.
MATCH ()-[r:RELATION]->() WHERE r.layer IN $layers WITH r LIMIT $batch DELETE r RETURN count(*) AS deleted
