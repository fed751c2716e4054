// Genes associated with a disease.
// param  disease: string  CURIE of a disease, or of a finding, e.g. OMIM:154700
// column gene_id: string, gene_name: string, publications: string, sources: list of string
// order  gene_id
MATCH (d:Entity {id: $disease})<-[r:ASSOCIATED_WITH]-(g:Gene)
RETURN g.id AS gene_id, g.name AS gene_name, r.publications AS publications, r.sources AS sources
ORDER BY gene_id
