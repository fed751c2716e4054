// A drug that only one sex takes, for a disease that only the other has.
// The drugs are those whose every use is of one sex. Estrogens, antiandrogens of the older kind and
// drugs of fertility are missing on purpose: prostate cancer, hirsutism and male infertility are among their uses.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (d:Drug)-[r:INDICATED_FOR|PALLIATES|TREATED_BY|PREVENTED_BY]-(a:Entity)
WHERE d.id <> a.id AND a.type IN ['Disease', 'Symptom']
  AND NOT a.name =~ '.*(4[56],X|sex dev|ermaphrodit|ntersex|and/or|yndrome with).*'
  AND ((
      // contraception, endometriosis, menopause, labour and the vagina
      (d.name =~ '.*([Rr]aloxifene|[Bb]azedoxifene|[Oo]spemifene|[Uu]lipristal|[Nn]orgestrel|[Dd]esogestrel|[Dd]rospirenone|[Dd]ienogest|[Cc]arbetocin|[Oo]xytocin|[Dd]inoprostone|[Aa]tosiban|[Ff]libanserin|[Ee]lagolix|[Ee]tonogestrel|[Ee]rgometrine|[Ee]rgonovine|[Rr]itodrine|[Hh]ydroxyprogesterone caproate|[Dd]ydrogesterone|[Tt]ibolone|[Nn]orethindrone|[Nn]orethisterone|[Mm]estranol|[Nn]orelgestromin|[Ff]ezolinetant|[Bb]rexanolone|[Mm]irvetuximab|[Gg]emeprost|[Vv]aginal (cream|gel|ring|tablet|suppositor)).*'
        OR d.name CONTAINS '阴道' OR d.name CONTAINS '妇科' OR d.name CONTAINS '妇炎' OR d.name CONTAINS '妇康'
        OR d.name CONTAINS '宫炎' OR d.name CONTAINS '暖宫' OR d.name CONTAINS '调经' OR d.name CONTAINS '缩宫素')
      // an estrogen that was also given for prostate cancer, and its name is of the two together
      AND NOT d.name CONTAINS 'stradiol valerate' AND NOT d.name CONTAINS '阴道镜'
      AND (a.name =~ '(.*[^A-Za-z])?([Pp]rostat(e|ic|itis|ism)|[Tt]esticular|[Tt]est[ie]s([^a-z].*)?$|([Ee]pididymo-?)?[Oo]rchitis|[Cc]ryptorchid|[Ee]pididym|[Ss]crotum|[Ss]crotal|[Pp]eni(s|le)([^a-z].*)?$|[Hh]ypospadias|([Pp]ara)?[Pp]himosis|[Pp]eyronie|[Pp]riapism|[Bb]alanitis|[Ee]rectile|[Ii]mpotence|[Pp]remature ejaculation|[Ss]eminoma|[Vv]aricocele|([Aa]|[Oo]ligo)zoosperm|[Mm]ale (infertility|hypogonadism|pattern baldness)|[Kk]linefelter).*'
        OR (a.name CONTAINS '前列腺' AND NOT a.name CONTAINS '前列腺素') OR a.name CONTAINS '睾丸' OR a.name CONTAINS '附睾'
        OR a.name CONTAINS '阴茎' OR a.name CONTAINS '包皮' OR a.name CONTAINS '龟头' OR a.name CONTAINS '精索' OR a.name CONTAINS '阳痿' OR a.name CONTAINS '早泄'))
    OR (
      // the prostate, erection and ejaculation
      (d.name =~ '.*([Dd]utasteride|[Aa]biraterone|[Ee]nzalutamide|[Aa]palutamide|[Dd]arolutamide|[Nn]ilutamide|[Dd]egarelix|[Tt]amsulosin|[Ss]ilodosin|[Vv]ardenafil|[Aa]vanafil|[Dd]apoxetine|[Cc]abazitaxel|[Ff]inasteride|[Ss]ipuleucel).*'
        OR d.name CONTAINS '前列舒' OR d.name CONTAINS '前列通' OR d.name CONTAINS '前列康' OR d.name CONTAINS '前列泰'
        OR d.name CONTAINS '前列欣' OR d.name CONTAINS '前列安' OR d.name CONTAINS '前列癃' OR d.name CONTAINS '前列回春')
      AND (a.name =~ '(.*[^A-Za-z])?([Oo]varian|[Oo]var(y|ies)|[Ss]alpingitis|[Ff]allopian|[Uu]ter(us|ine)|[Ee]ndometri|[Aa]denomyosis|[Cc]ervicitis|[Cc]ervix|[Cc]ervical (cancer|carcinoma)|[Vv]agin|[Vv]ulv|[Pp]regnan|[Pp]ostpartum|([Pp]re-?)?[Ee]clampsia|([Pp]re)?[Mm]enstru|([Pp]re|[Pp]ost|[Pp]eri)?-?[Mm]enopaus|([Dd]ys|[Aa]|[Oo]ligo|[Hh]yper|[Mm]eno)?([Mm]enorrh|[Mm]etrorrh)|[Ff]emale infertility).*'
        OR a.name CONTAINS '卵巢' OR a.name CONTAINS '子宫' OR a.name CONTAINS '宫颈' OR a.name CONTAINS '阴道' OR a.name CONTAINS '输卵管'
        OR a.name CONTAINS '妊娠' OR a.name CONTAINS '月经' OR a.name CONTAINS '痛经' OR a.name CONTAINS '闭经' OR a.name CONTAINS '产后' OR a.name CONTAINS '盆腔炎')
      // finasteride is tried for the hair that androgens make grow
      AND NOT (d.name CONTAINS 'inasteride' AND a.name CONTAINS 'olycystic')))
WITH CASE WHEN type(r) IN ['TREATED_BY', 'PREVENTED_BY'] THEN a.id ELSE d.id END AS head, type(r) AS relation,
  CASE WHEN type(r) IN ['TREATED_BY', 'PREVENTED_BY'] THEN d.id ELSE a.id END AS tail,
  d.name AS drug, a.name AS disease
RETURN DISTINCT head, relation, tail, 'a drug of one sex is for a disease of the other' AS reason,
       'the drug is ' + coalesce(min(drug), '') + ', the disease ' + coalesce(min(disease), '') AS facts
ORDER BY head, relation, tail
