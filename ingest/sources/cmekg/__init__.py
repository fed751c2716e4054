"""CMeKG, the Chinese Medical Knowledge Graph."""
