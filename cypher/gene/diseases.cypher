// Diseases and symptoms that a gene is associated with.
// param  gene: string  CURIE of the gene, e.g. NCBIGene:2200
// column condition_id: string, condition_name: string, condition_name_zh: string
// column condition_type: string, publications: string, sources: list of string
// order  condition_id
MATCH (g:Gene {id: $gene})-[r:ASSOCIATED_WITH]->(t:Entity)
RETURN t.id AS condition_id, t.name AS condition_name, t.name_zh AS condition_name_zh,
       t.type AS condition_type, r.publications AS publications, r.sources AS sources
ORDER BY condition_id
