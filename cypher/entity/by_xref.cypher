// Things that have one of some ids among their cross-references: ids that were merged into theirs, and those that sources refer to.
// param  xrefs: list of string  Ids as the cross-references have them, e.g. DOID:13189
// column xref: string, entity_id: string, entity_type: string, entity_name: string
// order  xref, entity_id
WITH $xrefs AS wanted
MATCH (e:Entity)
WHERE any(xref IN e.xrefs WHERE xref IN wanted)
UNWIND e.xrefs AS xref
WITH e, xref, wanted
WHERE xref IN wanted
RETURN DISTINCT xref, e.id AS entity_id, e.type AS entity_type, e.name AS entity_name
ORDER BY xref, entity_id
