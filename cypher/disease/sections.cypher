// Sections of text about a disease.
// param  disease: string  CURIE of a disease, or of a finding, e.g. MONDO:0005393
// column section_id: string, section_name: string, section_text: string
// column original_relation: string, sources: list of string
// order  section_id
MATCH (d:Entity {id: $disease})-[r:HAS_SECTION]->(s:Section)
RETURN s.id AS section_id, s.name AS section_name, s.text AS section_text,
       r.original_relation AS original_relation, r.sources AS sources
ORDER BY section_id
