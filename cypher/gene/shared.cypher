// Genes associated with both of two diseases.
// param  disease: string  CURIE of one disease, e.g. OMIM:154700
// param  other: string  CURIE of the other disease, e.g. OMIM:604308
// column gene_id: string, gene_name: string
// order  gene_id
MATCH (d:Disease {id: $disease})<-[:ASSOCIATED_WITH]-(g:Gene)
MATCH (g)-[:ASSOCIATED_WITH]->(o:Disease {id: $other})
WHERE o.id <> d.id
RETURN g.id AS gene_id, g.name AS gene_name
ORDER BY gene_id
