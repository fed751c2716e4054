"""Cases: drawn from a graph, or read from published sets."""
