// Diseases that findings point to, the likeliest first, with what speaks for and against each.
// param  present: list of string  CURIEs of findings that the patient has; one that the graph has not got counts for nothing, e.g. HP:0001369,HP:0002829
// param  absent: list of string = []  CURIEs of findings that the patient does not have; one that is present too counts as present, e.g. HP:0001945
// param  age: float = -1  Years; below 0 where it is not known
// param  sex: string = unknown  male, female or unknown
// param  prior: string = prevalence  prevalence: what more sources name is commoner; none: all diseases are equally common
// param  among: list of string = []  CURIEs of the only diseases that are thought of; none given: all of the graph
// param  limit: integer = 25  Rows at most, of the 200 best
// column disease_id: string, disease_name: string, disease_name_zh: string, score: float, chance: float
// column prior: float, matched: integer, supporting: list of string, against: list of string
// column weights: list of float
// order  score desc, disease_id
UNWIND [$present, $absent, ['']] AS some
UNWIND some AS given
MATCH (f:Entity {id: given})
// Who has a kind of a finding has it, and so has who has a disease that is the finding too
// (CLOSE_MATCH). What another finding of the patient is a kind of says nothing more.
OPTIONAL MATCH (k:Entity)-[:IS_A|CLOSE_MATCH*1..30]->(f)
OPTIONAL MATCH (f)-[:IS_A*1..2]->(g:Entity)
WITH f.id AS finding, CASE WHEN f.id IN $present THEN 1.0 ELSE 0.0 END AS seen,
     collect(DISTINCT k.id) + [f.id] AS kinds, collect(DISTINCT g.id) AS broader,
     max(CASE WHEN k.id IN $present AND k.id <> f.id THEN 1 ELSE 0 END) AS told
WHERE told = 0 OR seen = 0.0
UNWIND kinds + broader AS one
WITH finding, seen, one, CASE WHEN one IN broader THEN 0.0 ELSE 1.0 END AS itself
MATCH (s:Entity {id: one})
OPTIONAL MATCH (s)<-[r:HAS_SYMPTOM|CLOSE_MATCH]-(d:Entity)
WITH finding, seen, itself, s, r, d
WHERE d.id IS NOT NULL
// P, how likely it is with the disease: what is present by r.likelihood, which 'medkg check' has
// computed (the frequency, or 3 in 10 where no source says, times 10 / (10 + n), n how many
// findings the disease has; here n = 40 without it), what is absent by its frequency; the disease
// that is the finding has it always, and is told as what no source has a frequency of. Below 0:
// never, in the other sex or below the age at which it begins (years as HPO defines its terms).
// The leak, how likely it is by other causes: a tenth of the background, and all of it for a finding
// that is a disease too, which the patient may have beside the one that is sought.
WITH finding, seen, d.id AS disease, size(d.sources) AS named,
     max(CASE WHEN s.id = finding AND (type(r) = 'CLOSE_MATCH' OR s.type = 'Disease') THEN 1.0 ELSE 0.1 END) AS leaks,
     max(CASE WHEN itself = 0.0 THEN 0.0
              WHEN ($sex = 'male' AND r.sex = 'FEMALE') OR ($sex = 'female' AND r.sex = 'MALE') OR r.frequency = 0.0 THEN -1.0
              WHEN $age >= 0.0 AND $age < 60.0 AND (r.onset = 'HP:0003584' OR ($age < 40.0 AND r.onset = 'HP:0003596')
                OR ($age < 16.0 AND r.onset IN ['HP:0003581', 'HP:0011462', 'HP:0025708', 'HP:0025709', 'HP:0025710'])
                OR ($age < 5.0 AND r.onset = 'HP:0003621') OR ($age < 1.0 AND r.onset = 'HP:0011463')) THEN -1.0
              WHEN seen = 0.0 THEN CASE WHEN type(r) = 'CLOSE_MATCH' THEN 1.0 ELSE coalesce(r.frequency, 0.3) END
              ELSE coalesce(r.likelihood, 0.2 * r.frequency, 0.06) END) AS likely
WHERE likely >= 0.0
// The background: how likely it is in all diseases on average, of 32768 (2 to the 15th). What is
// summed is whole numbers, of 2 to the -30th each: their sum is the same in any order, and an engine
// adds in any. floor(x + 0.5) rounds alike on both engines, also at .5, and never to -0.0.
WITH finding, seen, max(leaks) AS leak, coalesce(sum(floor(likely * 1073741824.0 + 0.5)), 0.0) / 35184372088832.0 AS background,
     collect({disease: disease, named: named, likely: likely}) AS found
UNWIND found AS one
WITH finding, seen, leak, background, one.disease AS disease, one.named AS named, one.likely AS likely
WHERE seen = 1.0 OR likely > 0.0
// Bits of a present finding: log2 of how many times likelier it is with the disease than by other
// causes alone, the leak (what a disease does not list has 0 bits). Of
// a disease that has only what the finding is a kind of, up to two steps away: as likely as the
// background. Of an absent finding: log2 of the chance that it is not seen, as 3 of 10 are not.
WITH finding, disease, named, CASE WHEN seen = 1.0 THEN likely ELSE 0.0 END AS had,
     floor(CASE WHEN seen = 0.0 THEN log10(1.0 - 0.7 * likely)
                WHEN likely = 0.0 OR background = 0.0 THEN log10(1.0 + 1.0 / leak)
                ELSE log10(1.0 + likely / (leak * background)) END * 3.321928094887362 * 1073741824.0 + 0.5) AS bits
WITH disease, named, coalesce(sum(bits), 0.0) / 1073741824.0 AS evident,
     coalesce(sum(CASE WHEN had > 0.0 THEN 1 ELSE 0 END), 0) AS matched,
     collect({finding: finding, bits: bits / 1073741824.0}) AS evidence
WHERE matched > 0 AND (size($among) = 0 OR disease IN $among)
// The prior: two bits for each doubling of the number of sources that name the disease.
WITH disease, matched, evidence, evident,
     CASE WHEN $prior = 'none' OR named = 0 THEN 0.0 ELSE floor(log10(named) * 6.643856189774724 * 1073741824.0 + 0.5) / 1073741824.0 END AS prior
WITH disease, matched, evidence, prior, floor((evident + prior) * 10000.0 + 0.5) / 10000.0 AS score
ORDER BY score DESC, disease
LIMIT 200
// Without it Ladybug would drop the ORDER BY, as what follows groups by nothing: any 200.
UNWIND [disease] AS leader
WITH max(score) AS best, collect({disease: leader, matched: matched, evidence: evidence, score: score, prior: prior}) AS ranked
// How likely each is among them: 2 to the power of 0.45 of its bits, as findings go together; to the
// best one's, so that it is 1 at most.
UNWIND ranked AS one
WITH one.disease AS disease, one.matched AS matched, one.evidence AS evidence, one.score AS score, one.prior AS prior,
     floor(2.0 ^ ((one.score - best) * 0.45) * 1073741824.0 + 0.5) AS weight
WITH coalesce(sum(weight), 0.0) AS total,
     collect({disease: disease, matched: matched, evidence: evidence, score: score, prior: prior, weight: weight}) AS leading
UNWIND leading AS one
WITH one.disease AS disease, one.matched AS matched, one.evidence AS evidence, one.score AS score, one.prior AS prior,
     CASE WHEN total > 0.0 THEN one.weight / total ELSE 0.0 END AS chance
ORDER BY score DESC, disease
LIMIT $limit
UNWIND evidence AS one
WITH disease, matched, score, prior, chance, one.finding AS finding, one.bits AS bits
MATCH (f:Entity {id: finding})
WITH disease, matched, score, prior, chance, bits, finding, finding + ' ' + coalesce(f.name, '') AS called
ORDER BY score DESC, disease, bits DESC, finding
LIMIT 1000000000
WITH disease, matched, score, prior, chance,
     collect(CASE WHEN bits >= 0.0 THEN called END) AS supporting, collect(CASE WHEN bits < 0.0 THEN called END) AS against,
     collect(floor(bits * 10000.0 + 0.5) / 10000.0) AS weights
MATCH (d:Entity {id: disease})
RETURN d.id AS disease_id, d.name AS disease_name, d.name_zh AS disease_name_zh, score, floor(chance * 10000.0 + 0.5) / 10000.0 AS chance,
       floor(prior * 10000.0 + 0.5) / 10000.0 AS prior, matched, supporting, against, weights
ORDER BY score DESC, disease_id
