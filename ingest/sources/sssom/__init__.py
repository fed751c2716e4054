"""Mappings between ontologies, in SSSOM."""
