// Every section of text that the graph has, with what it is about.
// column section_id: string, section_name: string, section_name_zh: string, section_text: string
// column section_synonyms: list of string, section_synonyms_zh: list of string
// column entity_id: string, entity_name: string, entity_name_zh: string
// column original_relation: string, publications: string, sources: list of string
// order  section_id, entity_id
MATCH (e:Entity)-[r:HAS_SECTION]->(s:Section)
RETURN s.id AS section_id, s.name AS section_name, s.name_zh AS section_name_zh,
       s.text AS section_text, s.synonyms AS section_synonyms,
       s.synonyms_zh AS section_synonyms_zh, e.id AS entity_id, e.name AS entity_name,
       e.name_zh AS entity_name_zh, r.original_relation AS original_relation,
       r.publications AS publications, r.sources AS sources
ORDER BY section_id, entity_id
