// The findings to ask for next: whose answer tells most on which of the leading diseases it is.
// param  present: list of string  CURIEs of findings that the patient has; one that the graph has not got counts for nothing, e.g. HP:0001369,HP:0002829
// param  absent: list of string = []  CURIEs of findings that the patient does not have; one that is present too counts as present, e.g. HP:0001945
// param  limit: integer = 10  Rows at most, of the 30 best
// column finding_id: string, finding_name: string, finding_name_zh: string, bits: float
// column having: integer, chance: float
// order  bits desc, finding_id
UNWIND [$present, $absent, ['']] AS some
UNWIND some AS given
// What speaks for each disease, in bits, is as in symptom.differential.
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
WITH disease, round(coalesce(sum(bits), 0.0), 4) AS score, max(seen * credit) AS matched
WHERE matched = 1.0
WITH disease, score
ORDER BY score DESC, disease
LIMIT 15
// Without it Ladybug would drop the ORDER BY, as what follows groups by nothing: any 15.
UNWIND [disease] AS leader
WITH max(score) AS best, collect({disease: leader, score: score}) AS leading
UNWIND leading AS one
// How likely each is among them: 2 to the power of half its bits, for findings go together.
WITH one.disease AS disease, 2.0 ^ ((one.score - best) * 0.5) AS weight
WITH coalesce(sum(weight), 0.0) AS total, collect({disease: disease, weight: weight}) AS leading
UNWIND leading AS one
MATCH (d:Entity {id: one.disease})
OPTIONAL MATCH (d)-[r:HAS_SYMPTOM]->(s:Entity)
OPTIONAL MATCH (s)-[:IS_A]->(g:Entity)
WITH d.id AS disease, one.weight / total AS share, s.id AS symptom, coalesce(r.frequency, 0.5) AS frequency,
     collect(DISTINCT g.id) + [s.id] AS implied
UNWIND implied AS question
// A finding that is said of a disease is seen at most in 98 of 100, and any other in 2 of 100.
WITH question, disease, share, max(0.02 + 0.96 * frequency) AS p,
     max(CASE WHEN question = symptom THEN 1 ELSE 0 END) AS said
WHERE NOT question IN $present AND NOT question IN $absent
WITH question, share, p, said, (p * log10(p) + (1.0 - p) * log10(1.0 - p)) * -3.321928094887362 AS uncertain
// 0.1414405425418207 is the entropy of 0.02, in bits.
WITH question, count(*) AS having, max(said) AS said,
     0.02 + coalesce(sum(share * (p - 0.02)), 0.0) AS yes,
     0.1414405425418207 + coalesce(sum(share * (uncertain - 0.1414405425418207)), 0.0) AS afterwards
WHERE said > 0
WITH question, having, yes,
     round((yes * log10(yes) + (1.0 - yes) * log10(1.0 - yes)) * -3.321928094887362 - afterwards, 4) AS bits
ORDER BY bits DESC, question
LIMIT 30
// Not what a finding of the patient already implies, nor what an absent one rules out.
UNWIND [$present, ['']] AS some
UNWIND some AS had
MATCH (h:Entity {id: had})
OPTIONAL MATCH (h)-[:IS_A*1..30]->(e:Entity)
WITH question, having, yes, bits, max(CASE WHEN e.id = question THEN 1 ELSE 0 END) AS implied
WHERE implied = 0
UNWIND [question] AS one
MATCH (q:Entity {id: one})
OPTIONAL MATCH (q)-[:IS_A*1..30]->(a:Entity)
WITH q.id AS finding_id, q.name AS finding_name, q.name_zh AS finding_name_zh, bits, having, yes,
     max(CASE WHEN a.id IN $absent AND NOT a.id IN $present THEN 1 ELSE 0 END) AS excluded
WHERE excluded = 0
RETURN finding_id, finding_name, finding_name_zh, bits, having, round(yes, 4) AS chance
ORDER BY bits DESC, finding_id
LIMIT $limit
