// Lock the graph against other writers while this transaction is open.
MERGE (l:MedKGLock {id: 'medkg'}) SET l.held = true
