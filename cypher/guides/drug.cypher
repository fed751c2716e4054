// A drug: what it is for, what forbids it, what it interacts with.
// param  drug: string  CURIE of the drug, e.g. DRUGBANK:DB00437
MATCH p = (d:Drug {id: $drug})-[:INDICATED_FOR|CONTRAINDICATED_FOR|INTERACTS_WITH]-(o)
RETURN p
LIMIT 100
