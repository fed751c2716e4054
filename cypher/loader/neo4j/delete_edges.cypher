// Some edges of the graph, until there are none.
MATCH (:Entity)-[r]->() WITH r LIMIT $batch DELETE r RETURN count(*) AS deleted
