// Records of one type.
MATCH (n:LABEL) RETURN count(n) AS records
