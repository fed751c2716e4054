// What the graph holds, as JSON.
MATCH (s:Stamp) RETURN s.holds AS holds
