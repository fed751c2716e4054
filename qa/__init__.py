"""Questions in plain words, answered from the graph."""
