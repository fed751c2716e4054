// Whom diseases befall: from which age on, in years, as the youngest onset that a source states; and the one sex that has them, told by their kind.
// param  diseases: list of string  CURIEs of diseases, or of findings that have findings, e.g. MONDO:0005393,MONDO:0003105
// column disease_id: string, onset: float, sex: string
// order  disease_id
UNWIND $diseases AS given
MATCH (d:Entity {id: given})
OPTIONAL MATCH (d)-[:HAS_MODIFIER]->(o:Modifier)
OPTIONAL MATCH (d)-[:IS_A*1..30]->(a:Entity)
WITH d.id AS disease_id,
     // as HPO defines its terms: before birth to infancy, paediatric; childhood, juvenile, adult, ...
     min(CASE WHEN o.id IN ['HP:0030674', 'HP:0011461', 'HP:0034199', 'HP:0034198', 'HP:0034197', 'HP:0003577', 'HP:0003623', 'HP:0003593', 'HP:0410280'] THEN 0.0
              WHEN o.id = 'HP:0011463' THEN 1.0 WHEN o.id = 'HP:0003621' THEN 5.0
              WHEN o.id IN ['HP:0003581', 'HP:0011462', 'HP:0025708'] THEN 16.0
              WHEN o.id = 'HP:0025709' THEN 19.0 WHEN o.id = 'HP:0025710' THEN 25.0
              WHEN o.id = 'HP:0003596' THEN 40.0 WHEN o.id = 'HP:0003584' THEN 60.0 END) AS onset,
     // the kinds of rules.sex_male_thing_in_female_disease and rules.sex_female_thing_in_male_disease
     max(CASE WHEN d.id IN ['MONDO:0001433', 'MONDO:0002187', 'MONDO:0001416', 'MONDO:0021124', 'MONDO:0001836', 'MONDO:0005133', 'MONDO:0008487', 'MONDO:0008585', 'MONDO:0006248', 'MONDO:0015299', 'MONDO:0019499', 'MONDO:0018066']
                OR a.id IN ['MONDO:0001433', 'MONDO:0002187', 'MONDO:0001416', 'MONDO:0021124', 'MONDO:0001836', 'MONDO:0005133', 'MONDO:0008585', 'MONDO:0006248'] THEN 1 ELSE 0 END) AS women,
     max(CASE WHEN d.id IN ['MONDO:0003105', 'MONDO:0002036', 'MONDO:0005836', 'MONDO:0024582', 'MONDO:0005372', 'MONDO:0045003', 'MONDO:0850128', 'MONDO:0004767', 'MONDO:0004920', 'MONDO:0006823']
                OR a.id IN ['MONDO:0003105', 'MONDO:0002036', 'MONDO:0005836', 'MONDO:0024582', 'MONDO:0005372', 'MONDO:0045003', 'MONDO:0850128', 'MONDO:0004767', 'MONDO:0004920'] THEN 1 ELSE 0 END) AS men
RETURN disease_id, onset,
       CASE WHEN women > men THEN 'female' WHEN men > women THEN 'male' END AS sex
ORDER BY disease_id
