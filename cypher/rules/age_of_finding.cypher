// A disease of children alone, with a finding or kind of the old alone; or the other way round.
// Both are told by name or by the lists below. What infants have and grow old with is let pass:
// the finding has to be of an age, not only the patient.
// rule   reject
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Disease)
WHERE NOT a.name =~ '.*[Aa]dolescen.*'
// Diseases first: names are looked at once for each of them, and not for each of its findings.
WITH a,
  CASE WHEN
      // children
      (a.name =~ '(.*[^A-Za-z])?([Nn]eonat|[Nn]ewborn|[Ii]nfan(t|cy)|[Cc]hildhood|[Pp](a)?ediatric|[Pp]erinatal|[Jj]uvenile|[Mm]econium|[Cc]roup|[Rr]oseola|[Ee]xanthem subitum|[Ee]xanthema subitum|[Kk]awasaki disease|[Rr]etinopathy of prematurity|[Ww]est syndrome|[Hh]yaline membrane disease|[Nn]ephroblastoma|[Ww]ilms tumor|[Bb]ronchiolitis$|[Nn]euroblastoma|[Bb]iliary atresia|[Kk]ernicterus|[Ff]ebrile seizure|[Bb]ronchopulmonary dysplasia|[Nn]ecrotizing enterocolitis).*'
        OR a.name CONTAINS '小儿' OR a.name CONTAINS '新生儿' OR a.name CONTAINS '婴儿' OR a.name CONTAINS '婴幼儿' OR a.name CONTAINS '幼年' OR a.name CONTAINS '儿童'
        OR a.id IN [
          'MONDO:0012727'  // mucocutaneous lymph node syndrome (Kawasaki disease)
        ])
      AND NOT a.name =~ '.*([Aa]dult|[Ss]enile|[Ll]ate|[Ee]lderly).*' AND NOT a.name CONTAINS '成人' AND NOT a.name CONTAINS '老年'
    THEN 1 ELSE 0 END AS young,
  CASE WHEN NOT a.name =~ '.*([Cc]hild|[Ii]nfan|[Jj]uvenile|[Pp](a)?ediatric|neonat).*' AND NOT a.name CONTAINS '小儿'
    THEN CASE WHEN
        // the old
        a.name =~ '(.*[^A-Za-z])?([Ss]enile|[Ee]lderly|[Pp]resby(opia|cusis|acusis)|([Pp]ost|[Pp]eri)?-?[Mm]enopaus|[Aa]ge-related|[Oo]ld[ -]age|[Pp]olymyalgia rheumatica|[Gg]iant cell arteritis|[Tt]emporal arteritis|[Bb]enign prostatic hyperplasia|[Ll]ewy body dementia|[Vv]ascular dementia|[Ee]nlarged [Pp]rostate|[Pp]arkinson disease$|[Mm]ultiple system atrophy|[Aa]lzheimer disease|[Nn]ormal pressure hydrocephalus|[Ss]arcopenia|[Aa]rcus senilis|[Aa]ortic valve sclerosis).*'
          OR a.name CONTAINS '老年' OR a.name CONTAINS '绝经' OR a.name CONTAINS '更年期'
      THEN 1
      // adults, where it is a kind
      WHEN a.name =~ '(.*[^A-Za-z])?[Aa]dult([^A-Za-z].*)?$'
      THEN 2 ELSE 0 END
    ELSE 0 END AS aged
WHERE young + aged > 0
MATCH (a)-[r:HAS_SYMPTOM|COMPLICATED_BY|IS_A]->(b:Entity)
WHERE a.id <> b.id AND NOT b.name =~ '.*[Aa]dolescen.*'
  AND ((young = 1
      // of the old, or of adults where it is a kind
      AND (b.name =~ '(.*[^A-Za-z])?([Ss]enile|[Ee]lderly|[Pp]resby(opia|cusis|acusis)|[Aa]rcus senilis|([Pp]ost|[Pp]eri)?-?[Mm]enopaus|[Aa]ge-related|[Aa]lzheimer|[Oo]ld[ -]age|[Pp]olymyalgia rheumatica|[Gg]iant cell arteritis|[Tt]emporal arteritis|[Bb]enign prostatic hyperplasia|[Ll]ewy body dementia|[Vv]ascular dementia).*'
        OR (type(r) = 'IS_A' AND b.name =~ '(.*[^A-Za-z])?[Aa]dult([^A-Za-z].*)?$')
        OR b.name CONTAINS '老年' OR b.name CONTAINS '绝经' OR b.name CONTAINS '更年期')
      AND NOT b.name =~ '.*([Cc]hild|[Ii]nfan|[Jj]uvenile|[Pp](a)?ediatric).*')
    OR ((aged = 1 OR (aged = 2 AND type(r) = 'IS_A'))
      AND (b.name =~ '(.*[^A-Za-z])?([Nn]eonat|[Nn]ewborn|[Ii]nfan(t|cy)|[Cc]hildhood|[Pp](a)?ediatric|[Jj]uvenile|[Pp]erinatal|[Pp]remature birth|[Pp]rematurity|[Ss]mall for gestational age|[Ii]ntrauterine growth|[Mm]econium|[Pp]oor suck|([Ll]arge|[Ss]mall|[Bb]ulging|[Ss]unken|[Ww]ide|[Dd]elayed|[Aa]nterior|[Pp]osterior|[Oo]pen).* [Ff]ontanel|[Ff]ontanel|[Cc]roup|[Rr]oseola|[Kk]ernicterus|[Dd]elayed (speech|walking|ability to walk|social)|[Aa]bnormality of (primary|deciduous) teeth).*'
        OR b.name CONTAINS '小儿' OR b.name CONTAINS '新生儿' OR b.name CONTAINS '婴儿' OR b.name CONTAINS '婴幼儿' OR b.name CONTAINS '囟')
      AND NOT b.name =~ '.*[Aa]dult.*'))
RETURN a.id AS head, type(r) AS relation, b.id AS tail,
  'children alone have the one, the old alone the other' AS reason,
  'the disease is ' + coalesce(a.name, '') + '; ' + CASE WHEN type(r) = 'IS_A' THEN 'its kind is ' ELSE 'its finding is ' END + coalesce(b.name, '') AS facts
ORDER BY head, relation, tail
