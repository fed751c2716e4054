// A finding that a source ties to one sex (the edge's sex), and that only the other sex has, or whose disease only the other sex has.
// Findings and diseases are told by name; what is named after both sexes or a disorder of sex development is let pass.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Disease)-[r:HAS_SYMPTOM]->(b:Entity)
WHERE r.sex IN ['MALE', 'FEMALE']
// few edges say so; names are looked at after that
WITH DISTINCT a, r, b
WHERE NOT a.name =~ '.*(4[56],X|sex (dev|rev)|ermaphrodit|ntersex|and/or).*'
  AND NOT b.name =~ '.*(46,X|ermaphrod|seudoherm|mbiguous|onadal dysgenesis|appearance|ydrometroc).*'
  AND ((r.sex = 'FEMALE' AND (
      b.name =~ '(.*[^A-Za-z])?([Pp]rostat|[Tt]esticular|[Tt]est[ie]s([^a-z].*)?$|[Oo]rchi(tis|algia)|[Cc]ryptorchid|[Ee]pididym|[Ss]crotum|[Ss]crotal|[Pp]eni(s|le)([^a-z].*)?$|[Mm]icropenis|[Hh]ypospadias|([Pp]ara)?[Pp]himosis|[Pp]riapism|[Bb]alanitis|[Ee]rectile|[Ee]jaculat|[Ss]eminoma|[Ss]eminal|[Vv]aricocele|([Aa]|[Oo]ligo|[Aa]stheno|[Tt]erato)zoosperm|[Ss]permat|[Ss]perm |[Mm]ale (infertility|hypogonadism)|[Mm]acroorchid|[Ii]mpotence|([Aa]bsen(t|ce of the) )?[Vv]as deferens).*'
      OR a.name =~ '(.*[^A-Za-z])?([Pp]rostate|[Pp]rostat(ic|itis)|[Tt]esticular (cancer|torsion|germ cell|seminoma)|[Pp]enile|[Hh]ypospadias|[Cc]ryptorchidism|[Ss]permatogenic failure|[Mm]ale infertility|[Kk]linefelter).*'
      OR b.name CONTAINS '前列腺' OR b.name CONTAINS '睾丸' OR b.name CONTAINS '阴茎'))
    OR (r.sex = 'MALE' AND (
      b.name =~ '(.*[^A-Za-z])?([Oo]varian|[Oo]var(y|ies)|[Uu]ter(us|ine)|[Ff]allopian|[Ee]ndometri|[Vv]agin|[Vv]ulv|[Cc]litor|[Ll]abia m|[Pp]regnancy|([Pp]re-?)?[Ee]clampsia|([Pp]re|[Pp]ost)?[Mm]enopaus|([Pp]re)?[Mm]enstr|([Dd]ys|[Aa]|[Oo]ligo|[Hh]yper|[Mm]eno)?([Mm]enorrh|[Mm]etrorrh)|[Ff]emale (infertility|hypogonadism)).*'
      OR a.name =~ '(.*[^A-Za-z])?([Oo]varian (cancer|carcinoma|cyst|hyperstimulation)|[Pp]olycystic ovary|[Uu]ter(us|ine)|[Ee]ndometri|[Cc]ervical cancer|[Vv]aginal|[Pp]reeclampsia|[Ee]clampsia|[Ff]emale infertility|Turner syndrome).*'
      OR b.name CONTAINS '卵巢' OR b.name CONTAINS '子宫' OR b.name CONTAINS '阴道' OR b.name CONTAINS '月经')))
  // inside the womb, and kinds named after a person
  AND NOT (b.name =~ '.*([Ii]ntrauterine|[Ii]n utero).*' OR a.name =~ '.*([Ii]ntrauterine|Wilson-Turner).*')
RETURN a.id AS head, type(r) AS relation, b.id AS tail,
  'a source ties to one sex what only the other has' AS reason,
  'the edge says ' + coalesce(r.sex, '') + '; the disease is ' + coalesce(a.name, '') + ', the finding ' + coalesce(b.name, '') AS facts
ORDER BY head, relation, tail
