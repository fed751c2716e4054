// Whether the graph came from the importer and its empty lists are not in yet.
MATCH (s:MedKGStamp {id: 'medkg', imported: true}) RETURN true AS imported
