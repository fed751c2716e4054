"""The stores: one graph in Neo4j or in an embedded file, behind one interface."""

import logging

# the driver's warnings are for whoever sets up logging; without it Python prints them on stderr
logging.getLogger("neo4j").addHandler(logging.NullHandler())
