// An onset that clashes with the disease's, or with the name of what has it.
// Three clashes: a finding with its onset (of the edge) in infancy or before, in a disease whose onsets are all adult;
// a finding named after the time before or at birth, with a later onset; a disease named after infants, with onset
// in middle age or later (HAS_MODIFIER).
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Disease)-[r:HAS_SYMPTOM|HAS_MODIFIER]->(b:Entity)
WHERE r.onset IS NOT NULL OR type(r) = 'HAS_MODIFIER'
// few edges say so; names are looked at after that
WITH DISTINCT a, r, b
WHERE (type(r) = 'HAS_SYMPTOM'
    // antenatal, fetal, first to third trimester, congenital, neonatal, infantile
    AND r.onset IN ['HP:0030674', 'HP:0011461', 'HP:0034199', 'HP:0034198', 'HP:0034197', 'HP:0003577', 'HP:0003623', 'HP:0003593']
    AND EXISTS {
      // adult, young adult (early, intermediate, late), middle age, late
      MATCH (a)-[:HAS_MODIFIER]->(told:Modifier)
      WHERE told.id IN ['HP:0003581', 'HP:0011462', 'HP:0025708', 'HP:0025709', 'HP:0025710', 'HP:0003596', 'HP:0003584']
    }
    AND NOT EXISTS {
      // the above, childhood, juvenile, paediatric
      MATCH (a)-[:HAS_MODIFIER]->(early:Modifier)
      WHERE early.id IN ['HP:0030674', 'HP:0011461', 'HP:0034199', 'HP:0034198', 'HP:0034197', 'HP:0003577', 'HP:0003623', 'HP:0003593', 'HP:0011463', 'HP:0003621', 'HP:0410280']
    })
  OR (type(r) = 'HAS_SYMPTOM'
    AND b.name =~ '(.*[^A-Za-z])?([Cc]ongenital|[Nn]eonatal|[Aa]ntenatal|[Pp]renatal|[Ff]etal|[Ii]ntrauterine).*'
    AND NOT b.name =~ '.*([Ff]etal (hemoglobin|alcohol)|[Pp]ost|[Ll]ate).*'
    AND r.onset IN ['HP:0011463', 'HP:0003621', 'HP:0003581', 'HP:0011462', 'HP:0025708', 'HP:0025709', 'HP:0025710', 'HP:0003596', 'HP:0003584'])
  OR (type(r) = 'HAS_MODIFIER'
    AND ((a.name =~ '(.*[^A-Za-z])?([Nn]eonatal|[Nn]ewborn|[Ii]nfantile|[Ii]nfants?|[Ii]nfancy|[Pp]erinatal|[Pp]rematurity|[Cc]hildhood|[Bb]iliary atresia|[Mm]econium|[Ww]est syndrome|[Nn]euroblastoma|[Cc]roup).*'
        AND NOT a.name =~ '.*([Aa]dult|[Ll]ate|[Jj]uvenile|transient|relapsing).*'
        AND b.id IN ['HP:0003596', 'HP:0003584'])
      OR (a.name =~ '(.*[^A-Za-z])?([Ss]enile|[Aa]dult|[Ee]lderly|[Aa]ge-related|[Pp]resby|([Pp]ost)?[Mm]enopaus).*'
        AND NOT a.name =~ '.*([Cc]hild|[Ii]nfan|[Jj]uvenile|[Ee]arly|[Cc]ongenital|neonat).*'
        AND b.id IN ['HP:0030674', 'HP:0011461', 'HP:0034199', 'HP:0034198', 'HP:0034197', 'HP:0003577', 'HP:0003623', 'HP:0003593'])))
WITH a, b, type(r) AS how, coalesce(r.onset, b.id) AS onset
OPTIONAL MATCH (named:Modifier {id: onset})
RETURN DISTINCT a.id AS head, how AS relation, b.id AS tail,
  'the onset clashes with that of the disease, or with the name' AS reason,
  'the disease is ' + coalesce(a.name, '') + ', ' + CASE WHEN how = 'HAS_SYMPTOM' THEN 'its finding ' + coalesce(b.name, '') ELSE 'it' END + ' is said to have: ' + coalesce(named.name, onset) AS facts
ORDER BY head, relation, tail
