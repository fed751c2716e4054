"""Discriminative scores: how well a finding tells a disease from those it is confused with."""

from kg.discrimination.scores import Scores, divergence, score, score_edges

__all__ = ["Scores", "divergence", "score", "score_edges"]
