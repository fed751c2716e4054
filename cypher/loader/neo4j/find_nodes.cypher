// Which of some nodes of a label there are, and which layer added each.
UNWIND $ids AS id
MATCH (n:LABEL {id: id}) RETURN n.id AS id, n.layer AS layer
