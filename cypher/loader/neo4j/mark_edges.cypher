// Say of some edges of one relation type what rules and scores make of them.
UNWIND $rows AS row
MATCH (:Entity {id: row[0]})-[r:RELATION]->(:Entity {id: row[1]})
SET r.flags = row[2], r.discrimination = row[3], r.likelihood = row[4]
