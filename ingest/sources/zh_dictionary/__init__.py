"""Dictionaries of Chinese question answering systems: a name a line."""
