// Every column of the edges of one relation type that a layer did not add.
MATCH (a:Entity)-[r:RELATION]->(b:Entity) WHERE r.layer IS NULL OR r.layer <> $layer
RETURN a.id AS head, b.id AS tail, r.sources AS sources, r.publications AS publications,
       r.evidence AS evidence, r.frequency AS frequency, r.frequency_text AS frequency_text,
       r.onset AS onset, r.sex AS sex, r.weight AS weight, r.weight_text AS weight_text,
       r.original_relation AS original_relation, r.method AS method, r.score AS score,
       r.flags AS flags, r.discrimination AS discrimination, r.likelihood AS likelihood, r.layer AS layer
