// The disease-centred view (MedKGEval, section 3): its facts by relation and by what they connect.
// column relation: string, head_type: string, tail_type: string, facts: integer, heads: integer, tails: integer
// order  relation, head_type, tail_type
MATCH (h:Entity)-[r:HAS_SYMPTOM|COMPLICATED_BY|TREATED_BY|INDICATED_FOR|USED_OFF_LABEL_FOR|PALLIATES|CONTRAINDICATED_FOR|HAS_PRECAUTION|HAS_ADVERSE_REACTION|INTERACTS_WITH]->(t:Entity)
WHERE h.type IN ['Disease', 'Drug'] AND t.type <> 'Gene'
RETURN type(r) AS relation, h.type AS head_type, t.type AS tail_type, count(*) AS facts,
       count(DISTINCT h.id) AS heads, count(DISTINCT t.id) AS tails
ORDER BY relation, head_type, tail_type
