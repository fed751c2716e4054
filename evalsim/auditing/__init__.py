"""Whether a patient said what it may say, and nothing else."""
