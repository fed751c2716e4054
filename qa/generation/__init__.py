"""Candidates for an answer: one for each passage that was found, by one of three generators."""
