// A disease that only males have, tied to a finding, organ, procedure or test that only females have.
// Either is told by its name, or by a kind in the lists below; disorders of sex development and
// syndromes that both sexes have are let pass.
// rule   reject
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (seed:Entity)
WHERE seed.type IN ['Disease', 'Symptom']
  AND (seed.id IN [
    'MONDO:0003105',  // prostate disorder
    'MONDO:0002036',  // penile disorder
    'MONDO:0005836',  // male reproductive organ cancer
    'MONDO:0024582',  // male reproductive system neoplasm
    'MONDO:0005372',  // male infertility
    'MONDO:0045003',  // scrotal disorder
    'MONDO:0850128',  // epididymis disease
    'MONDO:0004767',  // vesiculitis
    'MONDO:0004920',  // hydrocele
    'MONDO:0006823'   // Klinefelter syndrome
  ]
  OR seed.name =~ '(.*[^A-Za-z])?([Pp]rostat|[Tt]esticular|[Tt]est[ie]s([^a-z].*)?$|([Ee]pididymo-?)?[Oo]rchi(tis|algia)|[Cc]ryptorchid|[Ee]pididym|[Ss]crotum|[Ss]crotal|[Pp]eni(s|le)([^a-z].*)?$|[Hh]ypospadias|([Pp]ara)?[Pp]himosis|[Pp]eyronie|[Pp]riapism|[Bb]alan(itis|oposth)|[Pp]osthitis|[Ee]rectile|[Ee]jaculat|[Ss]eminoma|[Ss]eminal|[Vv]aricocele|[Ss]permat|([Aa]|[Oo]ligo|[Aa]stheno|[Tt]erato)zoosperm|[Mm]ale infertility|[Kk]linefelter|[Aa]ndropause).*'
  OR (seed.name CONTAINS '前列腺' AND NOT seed.name CONTAINS '前列腺素')
  OR seed.name CONTAINS '睾丸' OR seed.name CONTAINS '附睾' OR seed.name CONTAINS '隐睾'
  OR seed.name CONTAINS '阴茎' OR seed.name CONTAINS '包皮' OR seed.name CONTAINS '龟头'
  OR seed.name CONTAINS '阴囊' OR seed.name CONTAINS '精索' OR seed.name CONTAINS '精囊'
  OR seed.name CONTAINS '阳痿' OR seed.name CONTAINS '早泄' OR seed.name CONTAINS '遗精'
  OR seed.name CONTAINS '尿道下裂' OR seed.name CONTAINS '男性不育' OR seed.name CONTAINS '少精' OR seed.name CONTAINS '无精子')
OPTIONAL MATCH (seed)<-[:IS_A*1..30]-(below:Entity)
WITH DISTINCT seed, below
UNWIND [seed.id, coalesce(below.id, seed.id)] AS known
WITH known, min(seed.name) AS male
MATCH (a:Entity {id: known})-[r:HAS_SYMPTOM|COMPLICATED_BY|CAUSED_BY|HAS_RISK_FACTOR|OCCURS_IN|DIAGNOSED_BY|TREATED_BY|PREVENTED_BY]->(b:Entity)
WHERE
  (type(r) <> 'TREATED_BY' OR b.type = 'Procedure')
  // of both sexes after all, or of neither
  AND NOT a.name =~ '.*(4[56],X|sex (dev|rev)elopment|ermaphrodit|esticular (agenesis|regression|feminization)|norchia|ntersex|varian|varii|ovary|ynaecolog|ynecolog|utero|agina|yndrome of|female|partner).*'
  AND NOT (a.name =~ '.*(yndrome|dysplasia|plus).*' AND NOT a.name =~ '.*([Kk]linefelter|[Pp]rostat|[Pp]elvic pain|[Ss]ertoli).*')
  AND NOT a.name CONTAINS '女性' AND NOT a.name CONTAINS '两性'
WITH DISTINCT a, b, type(r) AS how, male
WHERE
  // another's: the mother's pregnancy, the partner's disease, a relative's
  NOT b.name =~ '.*([Mm]aternal|[Mm]other|[Ff]amily|[Ff]amilial|[Pp]artner|[Pp]renatal|[Ii]n utero|[Ss]exual).*'
  AND NOT b.name =~ '.*([Tt]esti[sc]|[Pp]enile|[Pp]enis|[Ss]crot|[Pp]rostat|46,X|rogenital sinus|seudohermaphrod|[Hh]ydrocele|[Ii]nseminat|[Ii]n vitro|[Ii]ntracytoplasmic).*'
  AND (b.name =~ '(.*[^A-Za-z])?([Oo]varian|[Oo]var(y|ies)|[Oo]ophor|([Hh]ystero)?[Ss]alping|[Ff]allopian|[Uu]ter(us|ine)|[Ee]ndometri|[Mm]yometri|[Aa]denomyosis|[Cc]ervicitis|[Cc]ervix|[Cc]ervical (cancer|carcinoma|smear|dysplasia|cytology|intraepithelial|ectropion)|[Pp]ap (smear|test)|[Cc]olposcop|(trans|Trans)?[Vv]agin|[Vv]ulv|[Cc]litor|[Ll]abia m|([Pp]re|[Pp]ost|[Pp]eri)?-?[Mm]enopaus|([Dd]ys|[Aa]|[Oo]ligo|[Hh]yper|[Pp]oly|[Mm]eno)?([Mm]enorrh|[Mm]etrorrh)|([Pp]re)?[Mm]enstr|[Hh]ysterectomy|[Hh]ysteroscop|[Cc]esarean|[Cc]aesarean|[Ll]eukorrh|[Tt]ubal (ligation|pregnancy)|[Hh]ematocolpos|[Ee]pisiotom|[Bb]artholin|[Pp]elvic inflammatory disease).*'
    OR (b.name =~ '(.*[^A-Za-z])?([Ee]ctopic [Pp]regnancy|[Pp]regnancy|([Pp]re-?)?[Ee]clampsia|[Pp]ostpartum h(a)?emorrh|[Pp]uerper|[Mm]iscarriage|[Pp]lacenta pr(a)?evia|[Hh]yperemesis gravidarum|HELLP).*'
        AND how IN ['HAS_SYMPTOM', 'COMPLICATED_BY'])
    OR b.name CONTAINS '卵巢' OR b.name CONTAINS '子宫' OR b.name CONTAINS '宫颈' OR b.name CONTAINS '阴道'
    OR b.name CONTAINS '输卵管' OR b.name CONTAINS '月经' OR b.name CONTAINS '痛经' OR b.name CONTAINS '闭经'
    OR b.name CONTAINS '白带' OR b.name CONTAINS '盆腔炎' OR b.name CONTAINS '流产' OR b.name CONTAINS '绝经'
    OR b.id IN [
      'HP:0000130',  // abnormality of the uterus
      'HP:0000137',  // abnormality of the ovary
      'HP:0000142',  // abnormal vagina morphology
      'HP:0000140',  // abnormality of the menstrual cycle
      'HP:0000055',  // abnormal female external genitalia morphology
      'MONDO:0001416',  // female reproductive organ cancer
      'MONDO:0005133',  // endometriosis
      'UBERON:0003134', // female reproductive organ
      'UBERON:0000474'  // female reproductive system
    ]
    OR EXISTS {
      MATCH (b)-[:IS_A*1..30]->(up:Entity)
      WHERE up.id IN ['HP:0000130', 'HP:0000137', 'HP:0000142', 'HP:0000140', 'HP:0000055', 'MONDO:0001416', 'MONDO:0005133', 'UBERON:0003134', 'UBERON:0000474']
    })
RETURN DISTINCT a.id AS head, how AS relation, b.id AS tail,
  'only males have the disease, only females what it is tied to' AS reason,
  coalesce(a.name, '') + ' (a disease of males: ' + coalesce(male, '') + '); ' + coalesce(b.name, '') + ' (of females)' AS facts
ORDER BY head, relation, tail
