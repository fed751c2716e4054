// Some edges of one relation type that a layer added, until there are none.
MATCH ()-[r:RELATION]->() WHERE r.layer = $layer WITH r LIMIT $batch DELETE r RETURN count(*) AS deleted
