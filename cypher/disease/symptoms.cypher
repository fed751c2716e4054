// Symptoms of a disease, the most frequent first, then those that tell most, with who says so.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column symptom_id: string, symptom_name: string, symptom_name_zh: string, frequency: float
// column frequency_text: string, onset: string, sex: string, publications: string
// column sources: list of string, flags: string, discrimination: float
// order  frequency desc, discrimination desc, symptom_id
MATCH (d:Entity {id: $disease})-[r:HAS_SYMPTOM]->(s:Entity)
RETURN s.id AS symptom_id, s.name AS symptom_name, s.name_zh AS symptom_name_zh,
       r.frequency AS frequency, r.frequency_text AS frequency_text, r.onset AS onset,
       r.sex AS sex, r.publications AS publications, r.sources AS sources, r.flags AS flags,
       r.discrimination AS discrimination
ORDER BY coalesce(frequency, -1.0) DESC, coalesce(discrimination, -1.0) DESC, symptom_id
