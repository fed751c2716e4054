// A disease of newborns, infants or small children, with pregnancy, childbirth, menopause or sexual life among its findings.
// What the mother of the patient has (before birth and at birth) is told of infants too, as a cause or
// a risk: those relations are not asked. Menstruation is not asked either: older children have it.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Disease)-[r:HAS_SYMPTOM|COMPLICATED_BY]->(b:Entity)
WHERE (a.name =~ '(.*[^A-Za-z])?([Nn]eonatal|[Nn]eonatorum|[Nn]ewborn|[Ii]nfantile (spasm|colic|apnea|diarrhea|hypertrophic|hemangioma|botulism|eczema|pyloric)|[Ii]nfants?|[Ii]nfancy|[Cc]hildhood|[Pp](a)?ediatric|[Pp]erinatal|[Mm]econium|[Cc]roup|[Rr]oseola infantum|[Kk]awasaki disease|[Rr]etinopathy of prematurity|[Oo]f prematurity|[Ww]est syndrome|[Hh]yaline membrane disease|[Nn]ephroblastoma|[Nn]euroblastoma|[Bb]iliary atresia|[Kk]ernicterus|[Ff]ebrile seizures?|[Bb]ronchopulmonary dysplasia|[Ss]udden infant death|[Nn]octurnal enuresis|[Dd]iaper|[Nn]ecrotizing enterocolitis).*'
    OR a.name CONTAINS '小儿' OR a.name CONTAINS '新生儿' OR a.name CONTAINS '婴儿' OR a.name CONTAINS '婴幼儿' OR a.name CONTAINS '儿童'
    OR a.id IN [
      'MONDO:0012727',  // mucocutaneous lymph node syndrome (Kawasaki disease)
      'MONDO:0005779'   // hand, foot and mouth disease
    ])
  // a child of the laboratory, and what a grown patient may have from the disease of its childhood
  AND NOT a.name CONTAINS '试管' AND NOT a.name CONTAINS '青少年'
  AND NOT a.name =~ '.*([Oo]nset|[Aa]dult|[Mm]aternal|[Pp]regnan|[Gg]estation).*'
  AND (b.name =~ '(.*[^A-Za-z])?([Ee]ctopic pregnancy|[Pp]regnancy|([Pp]re-?)?[Ee]clampsia|HELLP|[Pp]ostpartum|[Pp]uerper|[Mm]iscarriage|[Ss]pontaneous abortion|[Pp]lacenta pr(a)?evia|[Hh]yperemesis gravidarum|[Gg]estational (diabetes|hypertension)|[Pp]rolonged labor|[Dd]ystocia|([Pp]re|[Pp]ost|[Pp]eri)?-?[Mm]enopaus|[Ee]rectile (dysfunction|impotence)|[Ii]mpotence|[Pp]remature ejaculation|[Dd]yspareunia|([Dd]ecreased|[Ll]oss of|[Rr]educed|[Ii]ncreased) libido|[Mm]ale infertility|[Ff]emale infertility|[Ff]emale anorgasmia|[Hh]ot flashes|[Hh]ot flushes|[Ll]actation disorder|[Mm]orning sickness).*'
    OR b.name CONTAINS '妊娠' OR b.name CONTAINS '流产' OR b.name CONTAINS '产后' OR b.name CONTAINS '绝经' OR b.name CONTAINS '更年期'
    OR b.name CONTAINS '难产' OR b.name CONTAINS '早泄' OR b.name CONTAINS '阳痿' OR b.name CONTAINS '遗精' OR b.name CONTAINS '性欲' OR b.name CONTAINS '性交')
  AND NOT b.name =~ '.*([Mm]aternal|[Mm]other|[Pp]renatal|[Nn]eonat|[Cc]omplicated by|term pregnancy|[Tt]win|[Mm]ultiple|[Ii]nfant).*' AND NOT b.name CONTAINS '母'
RETURN a.id AS head, type(r) AS relation, b.id AS tail,
  'a disease of small children has a finding of those who can have children, or no longer can' AS reason,
  'the disease is ' + coalesce(a.name, '') + ', the finding ' + coalesce(b.name, '') AS facts
ORDER BY head, relation, tail
