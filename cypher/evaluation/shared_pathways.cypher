// Pathways that genes of two diseases take part in, those of the fewest genes first.
// param  disease: string  CURIE of a disease, e.g. OMIM:154700
// param  other: string  CURIE of another one, e.g. OMIM:604308
// param  most: integer = 20  Genes that a pathway may have at most
// column pathway_id: string, pathway_name: string, pathway_name_zh: string, genes: integer
// order  genes, pathway_id
UNWIND [$disease, $other] AS given
MATCH (d:Entity {id: given})
// OPTIONAL, so that Ladybug goes from the two and does not read all edges
OPTIONAL MATCH (d)<-[:ASSOCIATED_WITH]-(g:Gene)
WITH d.id AS having, g.id AS gene
WHERE gene IS NOT NULL
MATCH (g:Entity {id: gene})
OPTIONAL MATCH (g)-[:PARTICIPATES_IN]->(p:Pathway)
WITH having, p.id AS pathway
WHERE pathway IS NOT NULL
WITH pathway, count(DISTINCT having) AS both
WHERE both = 2
MATCH (p:Entity {id: pathway})
WITH p, COUNT { MATCH (p)<-[:PARTICIPATES_IN]-(g:Entity) } AS genes
WHERE genes <= $most
RETURN p.id AS pathway_id, p.name AS pathway_name, p.name_zh AS pathway_name_zh, genes
ORDER BY genes, pathway_id
