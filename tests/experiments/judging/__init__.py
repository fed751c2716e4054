"""Doctors of known quality against the judge that medkg plays: docs/judging.md."""
