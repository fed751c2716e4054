// What the graph holds, as JSON, or what tables the file has.
MATCH (s:Stamp {id: $what}) RETURN s.holds AS holds
