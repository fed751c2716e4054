// Forget what was said of some edges of one relation type, until it is of none.
MATCH (:Entity)-[r:RELATION]->() WHERE r.flags IS NOT NULL OR r.discrimination IS NOT NULL OR r.likelihood IS NOT NULL
WITH r LIMIT $batch SET r.flags = null, r.discrimination = null, r.likelihood = null
