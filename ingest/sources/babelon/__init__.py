"""Translations of ontologies, in Babelon."""
