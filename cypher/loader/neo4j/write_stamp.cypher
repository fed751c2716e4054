// Say what the graph holds, and which write is not done.
MERGE (s:MedKGStamp {id: 'medkg'}) SET s.holds = $holds, s.writing = $writing
