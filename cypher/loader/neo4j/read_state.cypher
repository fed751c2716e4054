// What tells this state of the graph from every other, and whether a write has begun that is not done.
MATCH (s:MedKGStamp {id: 'medkg'}) RETURN coalesce(s.changed, s.holds) AS state, s.writing AS writing
