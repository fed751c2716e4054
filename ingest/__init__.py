"""Sources to assertions to graph tables to a store, with every row accounted for."""
