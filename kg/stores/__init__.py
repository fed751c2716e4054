"""The stores: one graph in Neo4j or in an embedded file, behind one interface."""
