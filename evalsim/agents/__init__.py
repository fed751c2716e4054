"""The roles that medkg plays: director, patient, and doctors of known quality."""
