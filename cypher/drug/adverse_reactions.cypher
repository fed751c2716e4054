// Adverse reactions to a drug, the most frequent first.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
// column reaction_id: string, reaction_name: string, reaction_name_zh: string, frequency: float
// column frequency_text: string, publications: string, sources: list of string
// order  frequency desc, reaction_id
MATCH (d:Drug {id: $drug})-[r:HAS_ADVERSE_REACTION]->(t:Entity)
RETURN t.id AS reaction_id, t.name AS reaction_name, t.name_zh AS reaction_name_zh,
       r.frequency AS frequency, r.frequency_text AS frequency_text,
       r.publications AS publications, r.sources AS sources
ORDER BY coalesce(frequency, -1.0) DESC, reaction_id
