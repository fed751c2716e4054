// A disease that only females have, tied to a finding, organ, procedure or test that only males have.
// Either is told by its name, or by a kind in the lists below; disorders of sex development and
// syndromes that both sexes have are let pass.
// rule   reject
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (seed:Entity)
WHERE seed.type IN ['Disease', 'Symptom']
  AND NOT seed.id IN [
    // kinds under which diseases of both sexes, or of the child, are filed as well
    'MONDO:0005558',  // ovarian disorder
    'MONDO:0002654',  // uterine disorder
    'MONDO:0002156',  // fallopian tube disorder
    'MONDO:0024575'   // pregnancy disorder
  ]
  AND NOT seed.name =~ '.*([Oo]varian|[Oo]vary) (dysfunction|failure|insufficiency|dysgenesis).*'
  AND (seed.id IN [
    'MONDO:0001433',  // vaginal disorder
    'MONDO:0002187',  // vulvar disease
    'MONDO:0001416',  // female reproductive organ cancer
    'MONDO:0021124',  // female infertility
    'MONDO:0001836',  // amenorrhea
    'MONDO:0005133',  // endometriosis
    'MONDO:0008487',  // polycystic ovary syndrome
    'MONDO:0008585',  // HELLP syndrome
    'MONDO:0006248',  // hydatidiform mole
    'MONDO:0017799',  // Meigs syndrome
    'MONDO:0015299',  // Asherman syndrome
    'MONDO:0019499',  // Turner syndrome
    'MONDO:0018066'   // trisomy X
  ]
  OR seed.name =~ '(.*[^A-Za-z])?([Oo]varian|[Oo]vary|[Oo]ophor|[Ss]alping(it|o)|[Ff]allopian|[Uu]ter(us|ine)|[Ee]ndometri|[Aa]denomyosis|[Cc]ervicitis|[Cc]ervix|[Cc]ervical (cancer|carcinoma|adenocarcinoma|dysplasia|intraepithelial)|[Vv]agin|[Vv]ulv|([Ee]ctopic|[Tt]ubal|[Hh]igh-risk) [Pp]regnancy|[Pp]regnancy|[Pp]uerper|[Pp]ostpartum|([Pp]re-?)?[Ee]clampsia|([Pp]re)?[Mm]enstru|([Pp]re|[Pp]ost|[Pp]eri)?-?[Mm]enopaus|([Dd]ys|[Aa]|[Oo]ligo|[Hh]yper|[Mm]eno)?([Mm]enorrh|[Mm]etrorrh)|[Pp]lacenta pr(a)?evia|[Pp]lacental abruption|[Pp]elvic inflammatory disease|[Hh]yperemesis gravidarum).*'
  OR seed.name CONTAINS '卵巢' OR seed.name CONTAINS '子宫' OR seed.name CONTAINS '宫颈' OR seed.name CONTAINS '阴道'
  OR seed.name CONTAINS '输卵管' OR seed.name CONTAINS '妊娠' OR seed.name CONTAINS '月经' OR seed.name CONTAINS '痛经'
  OR seed.name CONTAINS '闭经' OR seed.name CONTAINS '产后' OR seed.name CONTAINS '绝经' OR seed.name CONTAINS '盆腔炎'
  OR seed.name CONTAINS '宫外孕' OR seed.name CONTAINS '先兆流产' OR seed.name CONTAINS '习惯性流产' OR seed.name CONTAINS '前置胎盘')
OPTIONAL MATCH (seed)<-[:IS_A*1..30]-(below:Entity)
WITH DISTINCT seed, below
UNWIND [seed.id, coalesce(below.id, seed.id)] AS known
WITH known, min(seed.name) AS female
MATCH (a:Entity {id: known})-[r:HAS_SYMPTOM|COMPLICATED_BY|CAUSED_BY|HAS_RISK_FACTOR|OCCURS_IN|DIAGNOSED_BY|TREATED_BY|PREVENTED_BY]->(b:Entity)
WHERE (type(r) <> 'TREATED_BY' OR b.type = 'Procedure')
  // male contraception prevents a pregnancy; a man's seed is looked at when a couple is childless
  AND (type(r) <> 'PREVENTED_BY' OR NOT a.name =~ '.*[Pp]regnan.*')
  AND (type(r) <> 'DIAGNOSED_BY' OR NOT a.name =~ '.*([Ii]nfertil|[Aa]bortion|[Mm]iscarriage).*')
  // of both sexes after all, or what a child of either sex has from it
  AND NOT a.name =~ '.*(4[56],X|XY|sex (dev|rev)|ermaphrodit|ntersex|and/or|rostat|esticular|estis|retroperito|cotyl|lepharophimosis|varian (failure|insufficiency|dysgenesis)|ntrauterine|etal|ewborn|onatal|offspring|maternal|male|embryopathy|xposure).*'
  AND NOT (a.name =~ '.*(yndrome|dysplasia|plus|dystrophy|neuropathy|anomal).*'
    AND NOT a.name =~ '.*([Vv]arian|[Vv]ary|Turner syndrome|HELLP|[Mm]eigs|[Aa]sherman|[Mm]enstru|[Mm]enopaus|[Cc]ervical|[Vv]ulv).*')
  AND NOT a.name CONTAINS '两性' AND NOT a.name CONTAINS '胎儿' AND NOT a.name CONTAINS '新生儿' AND NOT a.name CONTAINS '宫内'
WITH DISTINCT a, b, type(r) AS how, female
WHERE
  // another's: a relative's or the partner's
  NOT b.name =~ '.*([Ff]amily|[Ff]amilial|[Pp]artner|[Ff]ather|[Pp]aternal|[Mm]en who|46,X|seudohermaphrod|pispadias|[Ss]permicid|[Ii]nseminat|[Ss]ertoli|[Ll]eydig|[Cc]ervi|[Vv]agin|[Uu]ter|[Oo]var|[Ff]emale|[Aa]nti-?sperm).*'
  AND (b.name =~ '(.*[^A-Za-z])?([Pp]rostat|[Tt]esticular|[Tt]est[ie]s([^a-z].*)?$|([Ee]pididymo-?)?[Oo]rchi(tis|algia|ectom|dect|opex)|[Cc]ryptorchid|[Ee]pididym|[Ss]crotum|[Ss]crotal|[Pp]eni(s|le)([^a-z].*)?$|[Pp]enectom|[Mm]icropenis|[Hh]ypospadias|([Pp]ara)?[Pp]himosis|[Pp]eyronie|[Pp]riapism|[Bb]alan(itis|oposth)|[Pp]osthitis|[Ee]rectile|[Ii]mpotence|[Ee]jaculat|[Ss]eminoma|[Ss]eminal|[Ss]eminif|[Ss]emen|[Vv]as deferens|[Vv]asectom|[Vv]aricocele|[Hh]ydrocele|([Aa]|[Oo]ligo|[Aa]stheno|[Tt]erato)zoosperm|[Ss]permat|[Mm]ale (infertility|hypogonadism)|[Mm]acroorchid|[Gg]leason|[Nn]octurnal penile|PSA([^A-Za-z].*)?$).*'
    OR (b.name CONTAINS '前列腺' AND NOT b.name CONTAINS '前列腺素')
    OR b.name CONTAINS '睾丸' OR b.name CONTAINS '附睾' OR b.name CONTAINS '隐睾' OR b.name CONTAINS '阴茎'
    OR b.name CONTAINS '龟头' OR b.name CONTAINS '阴囊' OR b.name CONTAINS '精索' OR b.name CONTAINS '阳痿'
    OR b.name CONTAINS '早泄' OR b.name CONTAINS '遗精' OR b.name CONTAINS '男性不育'
    OR b.id IN [
      'HP:0000022',  // abnormal male internal genitalia morphology
      'HP:0000036',  // abnormal penis morphology
      'HP:0000045',  // abnormal scrotum morphology
      'HP:0000035',  // abnormal testis morphology
      'HP:0008669',  // abnormal spermatogenesis
      'HP:0012874',  // abnormal male reproductive system physiology
      'MONDO:0003105',  // prostate disorder
      'MONDO:0002036',  // penile disorder
      'MONDO:0005836',  // male reproductive organ cancer
      'UBERON:0003135', // male reproductive organ
      'UBERON:0000079'  // male reproductive system
    ]
    OR EXISTS {
      MATCH (b)-[:IS_A*1..30]->(up:Entity)
      WHERE up.id IN ['HP:0000022', 'HP:0000036', 'HP:0000045', 'HP:0000035', 'HP:0008669', 'HP:0012874',
        'MONDO:0003105', 'MONDO:0002036', 'MONDO:0005836', 'UBERON:0003135', 'UBERON:0000079']
    })
RETURN DISTINCT a.id AS head, how AS relation, b.id AS tail,
  'only females have the disease, only males what it is tied to' AS reason,
  coalesce(a.name, '') + ' (a disease of females: ' + coalesce(female, '') + '); ' + coalesce(b.name, '') + ' (of males)' AS facts
ORDER BY head, relation, tail
