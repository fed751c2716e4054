"""Finds candidate triples in question banks and other texts; the graph is read, never written."""
