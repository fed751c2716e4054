"""What the answers of MedQuAD state of diseases: symptoms, causes, risks, tests and treatments."""
