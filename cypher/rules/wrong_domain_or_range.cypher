// An edge whose relation does not go from things of the head's type to things of the tail's.
// rule   reject
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail, reason
MATCH (a:Entity)-[r]->(b:Entity)
WHERE type(r) <> 'PREDICTED'
// First which types are linked by what, then the edges of those combinations that no relation allows.
WITH DISTINCT a.type AS head_type, type(r) AS relation, b.type AS tail_type
// What each relation may link, as kg.vocabulary has it. A build keeps to it already; a layer, or a
// graph that something else wrote, may not.
WHERE NOT (
  (relation IN ['HAS_SYMPTOM', 'LACKS_SYMPTOM', 'COMPLICATED_BY']
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Disease', 'Symptom'])
  OR (relation IN ['CAUSED_BY', 'HAS_RISK_FACTOR']
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Disease', 'Symptom', 'Drug', 'Gene', 'Procedure', 'Exposure', 'Organism', 'Food', 'Behavior', 'Population', 'PathologicalProcess'])
  OR (relation = 'DIAGNOSED_BY'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Symptom', 'Procedure', 'Test'])
  OR (relation = 'TREATED_BY'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Drug', 'Procedure', 'Exposure', 'Food', 'Behavior'])
  OR (relation = 'PREVENTED_BY'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Drug', 'Procedure', 'Test', 'Exposure', 'Food', 'Behavior', 'Precaution'])
  OR (relation IN ['RECOMMENDED_FOOD', 'AVOIDED_FOOD']
    AND head_type IN ['Disease', 'Symptom'] AND tail_type = 'Food')
  OR (relation = 'DIFFERENTIATED_FROM'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Disease', 'Symptom'])
  OR (relation = 'MANAGED_IN'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type = 'Department')
  OR (relation = 'OCCURS_IN'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type = 'Anatomy')
  OR (relation = 'HAS_INHERITANCE'
    AND head_type = 'Disease' AND tail_type = 'Inheritance')
  OR (relation = 'HAS_MODIFIER'
    AND head_type = 'Disease' AND tail_type = 'Modifier')
  OR (relation IN ['INDICATED_FOR', 'USED_OFF_LABEL_FOR', 'HAS_ADVERSE_REACTION', 'PALLIATES', 'TRIALLED_FOR']
    AND head_type = 'Drug' AND tail_type IN ['Disease', 'Symptom'])
  OR (relation = 'CONTRAINDICATED_FOR'
    AND head_type = 'Drug' AND tail_type IN ['Disease', 'Symptom', 'Drug', 'Procedure', 'Food', 'Population'])
  OR (relation = 'HAS_PRECAUTION'
    AND head_type = 'Drug' AND tail_type IN ['Disease', 'Symptom', 'Precaution', 'Population'])
  OR (relation = 'INTERACTS_WITH'
    AND head_type IN ['Drug', 'Gene', 'Exposure', 'Food'] AND tail_type IN ['Drug', 'Gene', 'Exposure', 'Food'])
  OR (relation = 'HAS_INGREDIENT'
    AND head_type = 'Drug' AND tail_type IN ['Drug', 'Food'])
  OR (relation = 'IN_CLASS'
    AND head_type = 'Drug' AND tail_type = 'DrugClass')
  OR (relation IN ['TARGETS', 'BINDS', 'UPREGULATES', 'DOWNREGULATES', 'CARRIED_BY', 'TRANSPORTED_BY', 'METABOLISED_BY']
    AND head_type = 'Drug' AND tail_type = 'Gene')
  OR (relation = 'ASSOCIATED_WITH'
    AND head_type = 'Gene' AND tail_type IN ['Disease', 'Symptom'])
  OR (relation IN ['EXPRESSED_IN', 'NOT_EXPRESSED_IN']
    AND head_type = 'Gene' AND tail_type = 'Anatomy')
  OR (relation IN ['UPREGULATED_IN', 'DOWNREGULATED_IN']
    AND head_type = 'Gene' AND tail_type IN ['Disease', 'Anatomy'])
  OR (relation IN ['REGULATES', 'COVARIES_WITH']
    AND head_type = 'Gene' AND tail_type = 'Gene')
  OR (relation = 'PARTICIPATES_IN'
    AND head_type = 'Gene' AND tail_type IN ['Pathway', 'BiologicalProcess'])
  OR (relation = 'HAS_FUNCTION'
    AND head_type = 'Gene' AND tail_type = 'MolecularFunction')
  OR (relation = 'FOUND_IN'
    AND head_type = 'Gene' AND tail_type = 'CellularComponent')
  OR (relation = 'LINKED_TO'
    AND head_type = 'Exposure' AND tail_type IN ['Disease', 'Symptom', 'BiologicalProcess', 'MolecularFunction', 'CellularComponent'])
  OR (relation = 'COOCCURS_WITH'
    AND head_type IN ['Disease', 'Symptom'] AND tail_type IN ['Disease', 'Symptom', 'Anatomy'])
  OR (relation = 'RESEMBLES'
    AND head_type IN ['Disease', 'Symptom', 'Drug'] AND head_type = tail_type)
  OR (relation = 'IS_A'
    AND NOT head_type IN ['Concept', 'Section'] AND head_type = tail_type)
  OR (relation = 'PART_OF'
    AND head_type IN ['Anatomy', 'Pathway', 'BiologicalProcess', 'MolecularFunction', 'CellularComponent'] AND tail_type IN ['Anatomy', 'Pathway', 'BiologicalProcess', 'MolecularFunction', 'CellularComponent'])
  OR (relation = 'CLOSE_MATCH'
    AND head_type = 'Disease' AND tail_type = 'Symptom')
  OR (relation = 'HAS_CUI'
    AND NOT head_type IN ['Concept', 'Section'] AND tail_type = 'Concept')
  OR (relation = 'HAS_SECTION'
    AND NOT head_type IN ['Concept', 'Section'] AND tail_type = 'Section')
)
MATCH (x:Entity)-[q]->(y:Entity)
WHERE type(q) = relation AND x.type = head_type AND y.type = tail_type
WITH x.id AS head, relation, y.id AS tail, x.name AS one, head_type, y.name AS other, tail_type
RETURN DISTINCT head, relation, tail, 'the relation does not link things of these types' AS reason,
       one + ' is of type ' + head_type + '; ' + other + ' is of type ' + tail_type AS facts
ORDER BY head, relation, tail, reason
