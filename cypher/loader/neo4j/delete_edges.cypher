// Some edges that begin at a label, until there are none.
MATCH (:LABEL)-[r]->() WITH r LIMIT $batch DELETE r RETURN count(*) AS deleted
