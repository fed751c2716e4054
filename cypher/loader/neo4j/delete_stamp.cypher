// Say that the graph is not whole.
MATCH (s:MedKGStamp {id: 'medkg'}) DELETE s
