// Diseases that findings point to, the likeliest first, with what speaks for and against each.
// param  present: list of string  CURIEs of findings that the patient has; one that the graph has not got counts for nothing, e.g. HP:0001369,HP:0002829
// param  absent: list of string = []  CURIEs of findings that the patient does not have; one that is present too counts as present, e.g. HP:0001945
// param  limit: integer = 25  Rows at most
// column disease_id: string, disease_name: string, disease_name_zh: string, score: float
// column matched: integer, supporting: list of string, against: list of string
// column weights: list of float
// order  score desc, disease_id
UNWIND [$present, $absent, ['']] AS some
UNWIND some AS given
MATCH (f:Entity {id: given})
// A disease that has a kind of the finding has the finding. One that has what the finding is a
// kind of, up to two steps away, may have it: that counts for 0.3.
OPTIONAL MATCH (k:Entity)-[:IS_A*1..30]->(f)
OPTIONAL MATCH (f)-[:IS_A*1..2]->(g:Entity)
WITH f.id AS finding, f.name AS called, collect(DISTINCT k.id) + [f.id] AS kinds, collect(DISTINCT g.id) AS broader
UNWIND kinds + broader AS one
WITH finding, called, one, CASE WHEN one IN broader THEN 0.3 ELSE 1.0 END AS credit
MATCH (s:Entity {id: one})
OPTIONAL MATCH (s)<-[r:HAS_SYMPTOM]-(d:Entity)
WITH finding, called, d.id AS disease, max(credit) AS credit,
     max(coalesce(r.frequency, 0.5)) AS frequency, max(coalesce(r.discrimination, 0.0)) AS discrimination
WHERE disease IS NOT NULL
WITH finding, called, coalesce(sum(CASE WHEN credit = 1.0 THEN 1 ELSE 0 END), 0) AS having,
     collect({disease: disease, credit: credit, frequency: frequency, discrimination: discrimination}) AS found
UNWIND found AS one
// In bits: how rare the finding is, of 15 (as many diseases as 2 to the 15th), and half of
// log2 of its frequency; more where it tells the disease from those it is confused with. An
// absent finding: log2 of the chance that it is not seen, three of ten cases aside.
WITH finding, called, one.disease AS disease, one.credit AS credit, one.discrimination AS discrimination,
     CASE WHEN finding IN $present THEN 1.0 ELSE 0.0 END AS seen,
     CASE WHEN one.frequency > 0.01 THEN one.frequency ELSE 0.01 END AS frequency,
     15.0 - log10(1.0 + having) * 3.321928094887362 AS rarity
WITH finding, called, disease, credit, seen,
     CASE WHEN seen = 0.0 THEN log10(1.0 - 0.7 * frequency) * 3.321928094887362
          ELSE credit * (1.0 + discrimination) * (rarity + log10(frequency) * 1.660964047443681) END AS bits
WHERE seen = 1.0 OR credit = 1.0
WITH disease, round(coalesce(sum(bits), 0.0), 4) AS score,
     coalesce(sum(CASE WHEN seen = 1.0 AND credit = 1.0 THEN 1 ELSE 0 END), 0) AS matched,
     collect({called: finding + ' ' + called, bits: bits}) AS evidence
WHERE matched > 0
WITH disease, score, matched, evidence
ORDER BY score DESC, disease
LIMIT $limit
UNWIND evidence AS one
WITH disease, score, matched, one.called AS called, one.bits AS bits
ORDER BY score DESC, disease, bits DESC, called
LIMIT 1000000000
WITH disease, score, matched, collect(CASE WHEN bits >= 0.0 THEN called END) AS supporting,
     collect(CASE WHEN bits < 0.0 THEN called END) AS against, collect(round(bits, 4)) AS weights
MATCH (d:Entity {id: disease})
RETURN d.id AS disease_id, d.name AS disease_name, d.name_zh AS disease_name_zh, score, matched,
       supporting, against, weights
ORDER BY score DESC, disease_id
