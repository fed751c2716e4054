// Records of one type; a row holds the properties.
UNWIND $rows AS row
CREATE (n:LABEL) SET n = row
