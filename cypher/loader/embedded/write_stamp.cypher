// Say what the graph holds, as JSON, or what tables the file has.
MERGE (s:Stamp {id: $what}) SET s.holds = $holds
