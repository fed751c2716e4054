"""The files of SIDER 4, and of the repository dhimmel/SIDER4, and their columns."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Layout:
    """A file."""

    name: str
    columns: tuple[str, ...]
    has_header: bool = False


_TERM: Final = ("meddra_type", "cui", "term")

ADVERSE: Final = Layout("meddra_all_se.tsv", ("flat", "stereo", "label_cui", *_TERM))
FREQUENCIES: Final = Layout(
    "meddra_freq.tsv",
    ("flat", "stereo", "label_cui", "placebo", "frequency", "lower", "upper", *_TERM),
)
INDICATIONS: Final = Layout(
    "meddra_all_indications.tsv", ("flat", "label_cui", "method", "concept_name", *_TERM)
)
NAMES: Final = Layout("drug_names.tsv", ("flat", "name"))
MAPPED_INDICATIONS: Final = Layout(
    "indications.tsv",
    (
        *("drugbank_id", "drugbank_name", "pubchem_id", "stitch_id_flat"),
        *("umls_cui_from_label", "method", "concept_name"),
        *("meddra_type", "umls_cui_from_meddra", "meddra_name"),
    ),
    has_header=True,
)
TERMS: Final = Layout(
    "side-effect-terms.tsv", ("umls_cui_from_meddra", "side_effect_name"), has_header=True
)

LAYOUTS: Final = (ADVERSE, FREQUENCIES, INDICATIONS, NAMES, MAPPED_INDICATIONS, TERMS)

SAME: Final = {
    "stitch_id_flat": "flat",
    "umls_cui_from_label": "label_cui",
    "umls_cui_from_meddra": "cui",
    "meddra_name": "term",
    "side_effect_name": "term",
    "drugbank_name": "name",
}
"""Our name of a column that two files call differently."""
