// Say what the graph holds, as JSON.
MERGE (s:Stamp {id: 'medkg'}) SET s.holds = $holds
