"""The judge that medkg plays, and the facts of the graph for any judge."""
