// How many drugs any fact connects with a disease.
// column drugs: integer
// order  drugs
MATCH (d:Drug)-[:TREATED_BY|INDICATED_FOR|USED_OFF_LABEL_FOR|PALLIATES|CONTRAINDICATED_FOR|HAS_PRECAUTION|HAS_ADVERSE_REACTION|PREVENTED_BY|CAUSED_BY]-(c:Disease)
RETURN count(DISTINCT d.id) AS drugs
