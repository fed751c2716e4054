// How many nodes of each label and edges of each relation and label of one end, from counters.
CALL db.stats.retrieve('GRAPH COUNTS') YIELD data RETURN data.nodes AS nodes, data.relationships AS edges
