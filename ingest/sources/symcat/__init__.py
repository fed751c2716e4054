"""SymCat: of the people with a symptom, how many had which condition."""
