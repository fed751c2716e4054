"""Triples that were taken from texts, such as the questions of an examination."""
