"""The graph as files for other programs: KGX, Neo4j's importer, plain triples."""
