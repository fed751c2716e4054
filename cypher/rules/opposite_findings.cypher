// A finding and its opposite in one disease: too much and too little of one substance, fast and slow.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
UNWIND [
  // Pairs of HPO terms; a kind of the one clashes with a kind of the other. Left out, since one patient
  // often has both at different ages or places: tone, reflexes, pigment, the size of body parts, stool.
  {high: 'HP:0002153', low: 'HP:0002900'},  // Hyperkalemia / Hypokalemia
  {high: 'HP:0003228', low: 'HP:0002902'},  // Hypernatremia / Hyponatremia
  {high: 'HP:0003072', low: 'HP:0002901'},  // Hypercalcemia / Hypocalcemia
  {high: 'HP:0002905', low: 'HP:0002148'},  // Hyperphosphatemia / Hypophosphatemia
  {high: 'HP:0002918', low: 'HP:0002917'},  // Hypermagnesemia / Hypomagnesemia
  {high: 'HP:0011423', low: 'HP:0003113'},  // Hyperchloremia / Hypochloremia
  {high: 'HP:0003074', low: 'HP:0001943'},  // Hyperglycemia / Hypoglycemia
  {high: 'HP:0000842', low: 'HP:0040216'},  // Hyperinsulinemia / Hypoinsulinemia
  {high: 'HP:0002149', low: 'HP:0003537'},  // Hyperuricemia / Hypouricemia
  {high: 'HP:0003124', low: 'HP:0003146'},  // Hypercholesterolemia / Hypocholesterolemia
  {high: 'HP:0002155', low: 'HP:0012153'},  // Hypertriglyceridemia / Hypotriglyceridemia
  {high: 'HP:0001987', low: 'HP:0100493'},  // Hyperammonemia / Hypoammonemia
  {high: 'HP:0012117', low: 'HP:0003073'},  // Hyperalbuminemia / Hypoalbuminemia
  {high: 'HP:0002152', low: 'HP:0003075'},  // Hyperproteinemia / Hypoproteinemia
  {high: 'HP:0003452', low: 'HP:0040303'},  // Increased circulating iron concentration / Decreased circulating iron concentration
  {high: 'HP:0003281', low: 'HP:0012343'},  // Increased circulating ferritin concentration / Decreased circulating ferritin concentration
  {high: 'HP:6000016', low: 'HP:0100502'},  // Elevated circulating vitamin B12 concentration / Decreased circulating vitamin B12 concentration
  {high: 'HP:0430146', low: 'HP:0005421'},  // Elevated circulating complement C3 concentration / Decreased circulating complement C3 concentration
  {high: 'HP:0003237', low: 'HP:0004315'},  // Increased circulating IgG concentration / Decreased circulating IgG concentration
  {high: 'HP:0003261', low: 'HP:0002720'},  // Increased circulating IgA concentration / Decreased circulating IgA concentration
  {high: 'HP:0003496', low: 'HP:0002850'},  // Increased circulating IgM level / Decreased circulating total IgM
  {high: 'HP:0002150', low: 'HP:0003127'},  // Hypercalciuria / Hypocalciuria
  {high: 'HP:0003081', low: 'HP:0012364'},  // Increased urinary potassium / Decreased urinary potassium
  {high: 'HP:0001942', low: 'HP:0200114'},  // Metabolic acidosis / Metabolic alkalosis
  {high: 'HP:0005972', low: 'HP:0001950'},  // Respiratory acidosis / Respiratory alkalosis
  {high: 'HP:0012416', low: 'HP:0012417'},  // Hypercapnia / Hypocapnia
  {high: 'HP:0000836', low: 'HP:0000821'},  // Hyperthyroidism / Hypothyroidism
  {high: 'HP:0002925', low: 'HP:0031098'},  // Elevated circulating thyroid-stimulating hormone concentration / Decreased thyroid-stimulating hormone level
  {high: 'HP:0000843', low: 'HP:0000829'},  // Hyperparathyroidism / Hypoparathyroidism
  {high: 'HP:0003165', low: 'HP:0031817'},  // Elevated circulating parathyroid hormone level / Decreased circulating parathyroid hormone level
  {high: 'HP:0003118', low: 'HP:0008163'},  // Increased circulating cortisol level / Decreased circulating cortisol level
  {high: 'HP:0000859', low: 'HP:0004319'},  // Increased circulating aldosterone concentration / Decreased circulating aldosterone concentration
  {high: 'HP:0000848', low: 'HP:0003351'},  // Increased circulating renin concentration / Decreased circulating renin concentration
  {high: 'HP:0000845', low: 'HP:0034323'},  // Elevated circulating growth hormone concentration / Reduced circulating growth hormone concentration
  {high: 'HP:0000870', low: 'HP:0008202'},  // Increased circulating prolactin concentration / Reduced circulating prolactin concentration
  {high: 'HP:0000815', low: 'HP:0000044'},  // Hypergonadotropic hypogonadism / Hypogonadotropic hypogonadism
  {high: 'HP:0011969', low: 'HP:0030344'},  // Elevated circulating luteinizing hormone level / Decreased circulating luteinizing hormone level
  {high: 'HP:0025134', low: 'HP:0008214'},  // Increased serum estradiol / Decreased serum estradiol
  {high: 'HP:0033644', low: 'HP:0034443'},  // Elevated circulating erythropoietin concentration / Reduced circulating erythropoietin concentration
  {high: 'HP:0001901', low: 'HP:0001903'},  // Polycythemia / Anemia
  {high: 'HP:0001894', low: 'HP:0001873'},  // Thrombocytosis / Thrombocytopenia
  {high: 'HP:0001974', low: 'HP:0001882'},  // Leukocytosis / Leukopenia
  {high: 'HP:0011897', low: 'HP:0001875'},  // Neutrophilia / Neutropenia
  {high: 'HP:0100827', low: 'HP:0001888'},  // Lymphocytosis / Lymphopenia
  {high: 'HP:0012311', low: 'HP:0012312'},  // Monocytosis / Monocytopenia
  {high: 'HP:0001972', low: 'HP:0001935'},  // Macrocytic anemia / Microcytic anemia
  {high: 'HP:0000822', low: 'HP:0002615'},  // Hypertension / Hypotension
  {high: 'HP:0001649', low: 'HP:0001662'},  // Tachycardia / Bradycardia
  {high: 'HP:0002789', low: 'HP:0046507'},  // Tachypnea / Bradypnea
  {high: 'HP:0002883', low: 'HP:0002791'},  // Hyperventilation / Hypoventilation
  {high: 'HP:0001945', low: 'HP:0002045'},  // Fever / Hypothermia
  {high: 'HP:0011105', low: 'HP:0011106'},  // Hypervolemia / Hypovolemia
  {high: 'HP:0002516', low: 'HP:0012641'},  // Increased intracranial pressure / Decreased intracranial pressure
  {high: 'HP:0007906', low: 'HP:0032547'},  // Ocular hypertension / Low intraocular pressure
  {high: 'HP:0011499', low: 'HP:0000616'},  // Mydriasis / Miosis
  {high: 'HP:0004324', low: 'HP:0001824'},  // Increased body weight / Weight loss
  {high: 'HP:0001513', low: 'HP:0004326'},  // Obesity / Cachexia
  {high: 'HP:0002591', low: 'HP:0002039'},  // Polyphagia / Anorexia
  {high: 'HP:0000975', low: 'HP:0000966'},  // Hyperhidrosis / Hypohidrosis
  {high: 'HP:0000103', low: 'HP:0100520'},  // Polyuria / Oliguria
  {high: 'HP:0000103', low: 'HP:0100519'},  // Polyuria / Anuria
  {high: 'HP:0000826', low: 'HP:0000823'},  // Precocious puberty / Delayed puberty
  {high: 'HP:0400007', low: 'HP:0000876'},  // Polymenorrhea / Oligomenorrhea
  {high: 'HP:0046503', low: 'HP:0046504'}  // Increased libido / Decreased libido
] AS pair
MATCH (above:Symptom {id: pair.high})
OPTIONAL MATCH (more:Symptom)-[:IS_A*1..30]->(above)
UNWIND [above.id, coalesce(more.id, above.id)] AS high
WITH DISTINCT high, pair.low AS root
MATCH (below:Symptom {id: root})
OPTIONAL MATCH (less:Symptom)-[:IS_A*1..30]->(below)
UNWIND [below.id, coalesce(less.id, below.id)] AS low
WITH DISTINCT high, low
WHERE high <> low
MATCH (h:Symptom {id: high})
// Bursts of a fast rhythm in a heart that is slow at rest (sick sinus, long QT) are no clash: kinds of
// supraventricular (HP:0004755) and ventricular tachycardia (HP:0004756).
WHERE NOT high IN [
  'HP:0004751', 'HP:0004755', 'HP:0004756', 'HP:0004758', 'HP:0004763', 'HP:0006671', 'HP:0011687',
  'HP:0011688', 'HP:0011689', 'HP:0011690', 'HP:0011691', 'HP:0011692', 'HP:0011693', 'HP:0011694',
  'HP:0011696', 'HP:0011697', 'HP:0011698', 'HP:0011716', 'HP:0011717', 'HP:0011841', 'HP:0031673',
  'HP:0031674', 'HP:0031675', 'HP:0031676', 'HP:0031677', 'HP:0034040'
]
MATCH (d:Disease)-[x:HAS_SYMPTOM]->(h)
WITH d, h, x, low
MATCH (d)-[y:HAS_SYMPTOM]->(l:Symptom)
WHERE l.id = low
// Variants, which are no clash: two findings whose frequencies add up to 1 at most (none need have
// both), or that one and the same publication tells of.
  AND coalesce(x.frequency, 1.0) + coalesce(y.frequency, 1.0) > 1.0
  AND NOT coalesce(x.publications, 'x') = coalesce(y.publications, 'y')
UNWIND [h.id, l.id] AS tail
WITH d.id AS head, type(x) AS relation, tail, d.name AS disease,
     CASE WHEN tail = h.id THEN h.name ELSE l.name END AS finding,
     CASE WHEN tail = h.id THEN l.name ELSE h.name END AS opposite
RETURN DISTINCT head, relation, tail, 'a disease has a finding and the opposite of it' AS reason,
       coalesce(min(disease), '') + ' HAS_SYMPTOM ' + coalesce(min(finding), '') + '; '
         + coalesce(min(disease), '') + ' HAS_SYMPTOM ' + coalesce(min(opposite), '') AS facts
ORDER BY head, relation, tail, reason
