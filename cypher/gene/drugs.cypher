// Drugs that act on a gene's product, or are carried, transported or metabolised by it.
// param  gene: string  CURIE of the gene, e.g. NCBIGene:9429
// column drug_id: string, drug_name: string, drug_name_zh: string, relation: string
// column sources: list of string
// order  drug_id, relation
MATCH (g:Gene {id: $gene})<-[r:TARGETS|CARRIED_BY|TRANSPORTED_BY|METABOLISED_BY]-(d:Drug)
RETURN d.id AS drug_id, d.name AS drug_name, d.name_zh AS drug_name_zh, type(r) AS relation,
       r.sources AS sources
ORDER BY drug_id, relation
