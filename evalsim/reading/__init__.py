"""What was said, read by rules: replies of doctors, diagnoses, names and their paraphrases."""
