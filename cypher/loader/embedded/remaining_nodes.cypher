// Every column of the nodes of a label that some layers did not add.
MATCH (n:LABEL) WHERE n.layer IS NULL OR NOT n.layer IN $layers
RETURN COLUMNS
