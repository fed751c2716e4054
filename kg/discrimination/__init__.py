"""Discriminative scores: how well a finding tells a disease from those it is confused with."""

from kg.discrimination.frequency import Said
from kg.discrimination.scores import Scores, score, score_edges, telling

__all__ = ["Said", "Scores", "score", "score_edges", "telling"]
