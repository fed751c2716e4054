"""MEDI, an ensemble of medication indication resources."""
