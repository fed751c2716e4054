"""Consistency rules: what contradicts itself in the graph, and the layer that takes it out."""
