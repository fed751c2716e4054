// Say that the lists that the importer left out are in.
MATCH (s:MedKGStamp {id: 'medkg'}) REMOVE s.imported
