"""Whether a difference is one, how sure a mean is, how many cases show it, and whether raters agree.

Pure functions over numbers; what undefined is nan, what is no input is a ``ValueError``. Rows that hang
together (dialogues about one disease) are told by their cluster.
"""

from evalsim.statistics.agreement import (
    Agreement,
    agreement,
    gwet_ac2,
    krippendorff_alpha,
    quadratic_kappa,
)
from evalsim.statistics.bootstrap import (
    DRAWS,
    bootstrap_mean,
    bootstrap_statistic,
    cluster_totals,
)
from evalsim.statistics.comparison import (
    Comparison,
    McNemar,
    benjamini_hochberg,
    compare,
    mcnemar,
)
from evalsim.statistics.components import Component, split_by_role, variance_components
from evalsim.statistics.planning import Pilot, Planned, cases_needed, pilot, plan
from qa.evaluation.statistics import Interval, Test, holm, paired_t_test, wilcoxon

__all__ = [
    "DRAWS",
    "Agreement",
    "Comparison",
    "Component",
    "Interval",
    "McNemar",
    "Pilot",
    "Planned",
    "Test",
    "agreement",
    "benjamini_hochberg",
    "bootstrap_mean",
    "bootstrap_statistic",
    "cases_needed",
    "cluster_totals",
    "compare",
    "gwet_ac2",
    "holm",
    "krippendorff_alpha",
    "mcnemar",
    "paired_t_test",
    "pilot",
    "plan",
    "quadratic_kappa",
    "split_by_role",
    "variance_components",
    "wilcoxon",
]
