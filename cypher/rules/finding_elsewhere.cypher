// A disease of one body site with a finding at a site that has nothing to do with it.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
UNWIND [
  // A body site, as MONDO has its disorders, and HPO's branches of findings that a disease of this site
  // alone does not cause. What follows by way of nerves, blood or drugs is left out: sight and eye
  // movement in diseases of the ear, gums and teeth in those of the heart's valves are examples.
  // eye disorder: ear, teeth, genitals, breast, nails, urinary system, liver, intestine, heart, lungs, hand, foot, knee
  {site: 'MONDO:0005328', elsewhere: ['HP:0000598', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0001597', 'HP:0000079', 'HP:0001392', 'HP:0002242', 'HP:0001627', 'HP:0002088', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // disorder of ear: eye, its movement and sight aside, teeth, genitals, breast, nails, urinary system, liver, intestine, heart, lungs, hand, foot, knee
  {site: 'MONDO:0021205', elsewhere: ['HP:0012372', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0001597', 'HP:0000079', 'HP:0001392', 'HP:0002242', 'HP:0001627', 'HP:0002088', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // tooth disorder: eye, its movement and sight aside, genitals, breast, nails, urinary system, liver, intestine, lungs, hand, foot, knee
  {site: 'MONDO:0006999', elsewhere: ['HP:0012372', 'HP:0000078', 'HP:0000769', 'HP:0001597', 'HP:0000079', 'HP:0001392', 'HP:0002242', 'HP:0002088', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // nail disorder: eye, ear, teeth, genitals, breast, urinary system, liver, intestine, heart, knee
  {site: 'MONDO:0002884', elsewhere: ['HP:0000478', 'HP:0000598', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0000079', 'HP:0001392', 'HP:0002242', 'HP:0001627', 'HP:0002815']},
  // breast disorder: eye, its movement and sight aside, ear, teeth, nails, urinary system, intestine, foot, knee
  {site: 'MONDO:0002657', elsewhere: ['HP:0012372', 'HP:0000598', 'HP:0000164', 'HP:0001597', 'HP:0000079', 'HP:0002242', 'HP:0001760', 'HP:0002815']},
  // male reproductive system disorder: eye, its movement and sight aside, ear, teeth, nails, heart, lungs, hand, foot, knee
  {site: 'MONDO:0003150', elsewhere: ['HP:0012372', 'HP:0000598', 'HP:0000164', 'HP:0001597', 'HP:0001627', 'HP:0002088', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // female reproductive system disorder: eye, its movement and sight aside, ear, teeth, nails, heart, hand, foot, knee
  {site: 'MONDO:0002263', elsewhere: ['HP:0012372', 'HP:0000598', 'HP:0000164', 'HP:0001597', 'HP:0001627', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // urinary bladder disorder: eye, its movement and sight aside, ear, teeth, breast, nails, heart, lungs, hand, foot, knee
  {site: 'MONDO:0006026', elsewhere: ['HP:0012372', 'HP:0000598', 'HP:0000164', 'HP:0000769', 'HP:0001597', 'HP:0001627', 'HP:0002088', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // stomach disorder: eye, its movement and sight aside, ear, genitals, breast, urinary system, hand, foot, knee
  {site: 'MONDO:0004298', elsewhere: ['HP:0012372', 'HP:0000598', 'HP:0000078', 'HP:0000769', 'HP:0000079', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // intestinal disorder: cataract, refraction, outer ear, middle ear, breast, hand, foot
  {site: 'MONDO:0005020', elsewhere: ['HP:0000518', 'HP:0000539', 'HP:0000356', 'HP:0000370', 'HP:0000769', 'HP:0001155', 'HP:0001760']},
  // gallbladder disorder: cataract, refraction, ear, teeth, genitals, breast, hand, foot, knee
  {site: 'MONDO:0005281', elsewhere: ['HP:0000518', 'HP:0000539', 'HP:0000598', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // upper respiratory tract disorder: genitals, breast, nails, urinary system, liver, intestine, hand, foot, knee
  {site: 'MONDO:0004867', elsewhere: ['HP:0000078', 'HP:0000769', 'HP:0001597', 'HP:0000079', 'HP:0001392', 'HP:0002242', 'HP:0001155', 'HP:0001760', 'HP:0002815']},
  // lower respiratory tract disorder: cataract, refraction, outer ear, middle ear, teeth, genitals, breast, intestine, knee
  {site: 'MONDO:0000270', elsewhere: ['HP:0000518', 'HP:0000539', 'HP:0000356', 'HP:0000370', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0002242', 'HP:0002815']},
  // heart disorder: cataract, refraction, outer ear, middle ear, teeth, breast, knee
  {site: 'MONDO:0005267', elsewhere: ['HP:0000518', 'HP:0000539', 'HP:0000356', 'HP:0000370', 'HP:0000164', 'HP:0000769', 'HP:0002815']},
  // arthropathy: outer ear, middle ear, teeth, genitals, breast, intestine, liver
  {site: 'MONDO:0006816', elsewhere: ['HP:0000356', 'HP:0000370', 'HP:0000164', 'HP:0000078', 'HP:0000769', 'HP:0002242', 'HP:0001392']}
] AS place
MATCH (site:Disease {id: place.site})
OPTIONAL MATCH (below:Disease)-[:IS_A*1..30]->(site)
UNWIND [site.id, coalesce(below.id, site.id)] AS local
WITH DISTINCT local, place.site AS site_id, site.name AS site_name, place.elsewhere AS elsewhere
MATCH (d:Disease {id: local})-[r:HAS_SYMPTOM]->(s:Symptom)
// Whoever cites a publication has seen the finding in the disease. A syndrome is of several sites.
WHERE r.publications IS NULL AND NOT d.name CONTAINS 'syndrome'
OPTIONAL MATCH (s)-[:IS_A*1..30]->(w:Symptom)
UNWIND [s.id, coalesce(w.id, s.id)] AS region_id
WITH DISTINCT d.id AS head, type(r) AS relation, s.id AS tail, d.name AS disease, s.name AS finding,
     site_id, site_name, elsewhere, region_id
WHERE region_id IN elsewhere
MATCH (d:Disease {id: head})
OPTIONAL MATCH (d)-[:IS_A*1..30]->(wide:Disease)
// of more than that site: of the whole body, of another of the sites, spread, or of early development
WHERE wide.id IN [
  'MONDO:0005328', 'MONDO:0021205', 'MONDO:0006999', 'MONDO:0002884', 'MONDO:0002657', 'MONDO:0003150',
  'MONDO:0002263', 'MONDO:0006026', 'MONDO:0004298', 'MONDO:0005020', 'MONDO:0005281', 'MONDO:0004867',
  'MONDO:0000270', 'MONDO:0005267', 'MONDO:0006816',
  'MONDO:0002254',  // syndromic disease
  'MONDO:0021147',  // disorder of development or morphogenesis
  'MONDO:0019040',  // chromosomal disorder
  'MONDO:0005066',  // metabolic disease
  'MONDO:0005137',  // nutritional disorder
  'MONDO:0005151',  // endocrine system disorder
  'MONDO:0005046',  // immune system disorder
  'MONDO:0003900',  // connective tissue disorder
  'MONDO:0005570',  // hematologic disorder
  'MONDO:0018882',  // vasculitis
  'MONDO:0005550',  // infectious disease
  'MONDO:0005070',  // neoplasm
  'MONDO:0045024',  // cancer or benign tumor
  'MONDO:0021178',  // injury
  'MONDO:0029000',  // poisoning
  'MONDO:0700003'  // obstetric disorder
]
MATCH (region:Symptom {id: region_id})
WITH head, relation, tail, disease, finding, site_name, region.name AS place_name,
     max(CASE WHEN coalesce(wide.id, site_id) = site_id THEN 0 ELSE 1 END) AS wider
WHERE wider = 0
RETURN DISTINCT head, relation, tail, 'the finding is at a body site that the disease does not reach' AS reason,
       coalesce(min(disease), '') + ' IS_A ' + coalesce(min(site_name), '') + '; '
         + coalesce(min(finding), '') + ' IS_A ' + coalesce(min(place_name), '') AS facts
ORDER BY head, relation, tail, reason
