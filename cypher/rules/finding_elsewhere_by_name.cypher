// A disease that its source places at one body site, with a finding whose name is of another site.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
UNWIND [
  // For names that no hierarchy places (minted from Chinese sources, or from tables without ids):
  // a site as OCCURS_IN names it, and words of findings that a disease of this site alone does not cause.
  // eyes; teeth, genitals, breast, bladder, bowel, nails, knee
  {sites: ['眼', '眼部', 'eye'], words: ['牙', '齿', '阴道', '阴茎', '阴囊', '睾丸', '月经', '白带', '子宫', '乳房', '尿痛', '排尿', '便血', '肛', '指甲', '趾甲', '膝', 'tooth', 'teeth', 'dental', 'vagin', 'penile', 'testic', 'menstrua', 'uterine', 'breast', 'dysuria', 'anal ', 'toenail', 'knee']},
  // ears; teeth are left out: pain is referred from them
  {sites: ['耳', '耳部', 'ear'], words: ['阴道', '阴茎', '阴囊', '睾丸', '月经', '白带', '子宫', '乳房', '尿痛', '排尿', '便血', '肛', '指甲', '趾甲', '膝', '足', '视网膜', '白内障', 'vagin', 'penile', 'testic', 'menstrua', 'uterine', 'breast', 'dysuria', 'anal ', 'toenail', 'knee', 'foot', 'retina', 'cataract']},
  // mouth and teeth
  {sites: ['口', '口腔', '牙', '牙齿', 'mouth', 'tooth'], words: ['阴道', '阴茎', '睾丸', '月经', '白带', '子宫', '乳房', '尿痛', '排尿', '便血', '肛', '膝', '视网膜', '白内障', 'vagin', 'penile', 'testic', 'menstrua', 'uterine', 'breast', 'dysuria', 'knee', 'foot ', 'retina', 'cataract']},
  // female genitals; breast, bowel and bladder are left out: cycle and neighbourhood reach them
  {sites: ['女性生殖', '子宫', '卵巢', '输卵管', '阴道', '外阴', 'uterus', 'ovary', 'vagina'], words: ['牙', '齿', '耳', '听力', '角膜', '结膜', '眼底', '视网膜', '白内障', '指甲', '趾甲', 'tooth', 'teeth', 'dental', 'hearing', 'tinnitus', 'cornea', 'retina', 'cataract', 'toenail']},
  // male genitals; what only women have is for the rules of sex
  {sites: ['男性生殖', '前列腺', '睾丸', '阴茎', '附睾', '精囊', 'prostate', 'testis', 'penis'], words: ['牙', '齿', '听力', '角膜', '结膜', '眼底', '视网膜', '白内障', '指甲', '趾甲', 'tooth', 'teeth', 'dental', 'hearing', 'cornea', 'retina', 'cataract', 'toenail']},
  // breast
  {sites: ['乳房', 'breast'], words: ['牙', '齿', '耳', '听力', '角膜', '结膜', '眼底', '视网膜', '白内障', '尿痛', '排尿', '便血', '肛', '膝', '趾甲', 'tooth', 'teeth', 'dental', 'hearing', 'tinnitus', 'cornea', 'retina', 'cataract', 'dysuria', 'anal ', 'knee', 'toenail']},
  // limbs
  {sites: ['足部', '膝部', '手部', '肩部', '前臂', '小腿', 'foot', 'knee', 'hand'], words: ['牙', '齿龈', '耳', '听力', '角膜', '结膜', '眼底', '视网膜', '白内障', '阴道', '月经', '白带', '子宫', '乳房', '前列腺', '排尿', '咳', 'tooth', 'teeth', 'dental', 'hearing', 'tinnitus', 'cornea', 'retina', 'cataract', 'vagin', 'menstrua', 'uterine', 'breast', 'prostat', 'dysuria', 'cough']},
  // bladder and urethra
  {sites: ['膀胱', '尿道', 'urinary bladder', 'urethra'], words: ['牙', '齿', '耳', '听力', '角膜', '眼底', '视网膜', '白内障', '乳房', '膝', '趾甲', '咳', 'tooth', 'teeth', 'dental', 'hearing', 'tinnitus', 'cornea', 'retina', 'cataract', 'breast', 'knee', 'toenail', 'cough']},
  // gullet, stomach and bowel; the eye is left out: the bowel's inflammation reaches it
  {sites: ['胃', '食管', '肠', 'stomach', 'oesophagus', 'esophagus', 'intestine'], words: ['耳', '听力', '白内障', '月经', '白带', '阴道', '乳房', '前列腺', '膝', '趾甲', '尿痛', 'hearing', 'tinnitus', 'cataract', 'menstrua', 'vagin', 'breast', 'prostat', 'knee', 'toenail', 'dysuria']},
  // nose and throat
  {sites: ['鼻', '咽喉', 'nose', 'throat'], words: ['阴道', '阴茎', '阴囊', '睾丸', '月经', '白带', '子宫', '乳房', '前列腺', '尿痛', '排尿', '便血', '肛', '膝', '趾甲', 'vagin', 'penile', 'testic', 'menstrua', 'uterine', 'breast', 'prostat', 'dysuria', 'anal ', 'knee', 'toenail']}
] AS place
MATCH (site:Anatomy)
WHERE site.name IN place.sites
WITH site.id AS site_id, site.name AS site_name, place.sites AS sites, place.words AS words
MATCH (d:Disease)-[:OCCURS_IN]->(a:Anatomy)
WHERE a.id = site_id
// Diseases of the whole body or of more than one place, by what their names say (syndrome, associated
// with, pregnancy, congenital, infection, fistula).
  AND NOT any(x IN ['综合征', '综合症', 'syndrome', '伴发', '合并', '妊娠', '先天', '性病', '淋病', '感染', '瘘'] WHERE d.name CONTAINS x)
MATCH (d)-[:OCCURS_IN]->(other:Anatomy)
WITH d, site_name, words, coalesce(sum(CASE WHEN other.name IN sites THEN 0 ELSE 1 END), 0) AS others
WHERE others = 0
MATCH (d)-[r:HAS_SYMPTOM]->(s:Entity)
WHERE r.publications IS NULL
UNWIND words AS word
WITH d, r, s, site_name, word
WHERE s.name CONTAINS word OR coalesce(s.name_zh, '') CONTAINS word
WITH d.id AS head, type(r) AS relation, s.id AS tail, d.name AS disease, s.name AS finding, site_name, word
RETURN DISTINCT head, relation, tail, 'the name of the finding is of another body site' AS reason,
       coalesce(min(disease), '') + ' OCCURS_IN ' + coalesce(min(site_name), '') + '; the finding '
         + coalesce(min(finding), '') + ' has ' + coalesce(min(word), '') + ' in its name' AS facts
ORDER BY head, relation, tail, reason
