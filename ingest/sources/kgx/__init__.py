"""Graphs in the KGX format, medkg's own exports among them."""
