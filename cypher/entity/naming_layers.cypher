// The layers that added entities that texts speak of.
// column layer: string
// order  layer
MATCH (e:Entity)
WHERE e.layer IS NOT NULL AND NOT e.type IN ['Concept', 'Modifier', 'Section']
RETURN DISTINCT e.layer AS layer
ORDER BY layer
