"""Discriminative scores: how well a finding tells a disease from those it is confused with."""

from kg.discrimination.frequency import StatedFrequency
from kg.discrimination.scores import Scores, discriminative_score, score, score_edges

__all__ = ["Scores", "StatedFrequency", "discriminative_score", "score", "score_edges"]
