// Take a lock that no other transaction gets while this one is open.
MERGE (l:MedKGLock {id: $lock}) SET l.held = true
