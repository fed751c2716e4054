// Which of some nodes there are, and which layer added each.
UNWIND $ids AS id
MATCH (n:Entity {id: id}) RETURN n.id AS id, n.layer AS layer
