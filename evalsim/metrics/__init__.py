"""Figures over dialogues: those of MedKGEval's tables and plots, and what they leave out beside them."""

from evalsim.metrics.comparisons import Piloted, Versus, compare_scores, comparisons, pilots
from evalsim.metrics.consistency import Consistency, consistency, patient_consistency
from evalsim.metrics.encoders import Encoder, NamedEncoder, find_encoder
from evalsim.metrics.grounding import Grounding, grounding
from evalsim.metrics.judges import (
    Group,
    HumanScore,
    Pair,
    TurnKey,
    judge_agreement,
    panel_agreement,
    read_human_scores,
)
from evalsim.metrics.leaderboard import (
    Flagged,
    Setting,
    Standing,
    Unbroken,
    leaderboard,
    safety_flags,
    without_violations,
)
from evalsim.metrics.length import ByLength, answer_length, comprehensiveness_by_length
from evalsim.metrics.published import Published, published_figures
from evalsim.metrics.recognisers import Mention, NamedRecogniser, Recogniser, find_recogniser
from evalsim.metrics.rules import RULES, Panel, Rule, decide
from evalsim.metrics.scores import (
    METRICS,
    Played,
    Scored,
    due_turns,
    highest,
    score_dialogue,
    turn_panel,
)
from evalsim.metrics.turns import (
    Bubble,
    DiagnosisTurns,
    turn_bubbles,
    turns_to_diagnosis,
)

__all__ = [
    "METRICS",
    "RULES",
    "Bubble",
    "ByLength",
    "Consistency",
    "DiagnosisTurns",
    "Encoder",
    "Flagged",
    "Grounding",
    "Group",
    "HumanScore",
    "Mention",
    "NamedEncoder",
    "NamedRecogniser",
    "Pair",
    "Panel",
    "Piloted",
    "Played",
    "Published",
    "Recogniser",
    "Rule",
    "Scored",
    "Setting",
    "Standing",
    "TurnKey",
    "Unbroken",
    "Versus",
    "answer_length",
    "compare_scores",
    "comparisons",
    "comprehensiveness_by_length",
    "consistency",
    "decide",
    "due_turns",
    "find_encoder",
    "find_recogniser",
    "grounding",
    "highest",
    "judge_agreement",
    "leaderboard",
    "panel_agreement",
    "patient_consistency",
    "pilots",
    "published_figures",
    "read_human_scores",
    "safety_flags",
    "score_dialogue",
    "turn_bubbles",
    "turn_panel",
    "turns_to_diagnosis",
    "without_violations",
]
