"""Runs: who plays which role, their calls, the consultation, its logs."""
