// Records of one type that some layers added.
MATCH (n:LABEL) WHERE n.layer IN $layers RETURN count(n) AS records
