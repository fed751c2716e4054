// What was loaded, as JSON, and whether a write that is not done has begun.
MATCH (s:MedKGStamp {id: 'medkg'}) RETURN s.holds AS holds, s.writing AS writing
