"""Biomappings: mappings that people curated."""
