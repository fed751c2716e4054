// Take some edges of one relation type out.
UNWIND $rows AS row
MATCH (:Entity {id: row[0]})-[r:RELATION]->(:Entity {id: row[1]}) DELETE r
