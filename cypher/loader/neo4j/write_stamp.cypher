// Say what the graph holds, and which write is not done; readers see by 'changed' that it was written.
MERGE (s:MedKGStamp {id: 'medkg'}) SET s.holds = $holds, s.writing = $writing, s.changed = randomUUID()
