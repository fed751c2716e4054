"""Names that ontologies and lists give a thing and that mean something else.

``loose_names.tsv`` beside this module has those that one reader found among the joins by synonyms,
aliases and names of close matches in the graph of all public data (docs/decisions.md): the id,
what it is called, the language, the name, and why the name is not exactly that.
"""

import csv
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files

from ingest.names import spelling
from kg.text import normalise

_Spelt = tuple[str, tuple[str, ...]]
"""Language, and the words of the name."""


def is_loose(ids: Iterable[str], language: str, normal: str) -> bool:
    """Whether any of some ids of one node has a name that means something else.

    Args:
        ids: of one node.
        language: of the name.
        normal: the name as ``kg.text.normalise`` leaves it; American and British spelling and
            number make no difference.
    """
    spelt = language, spelling(normal)
    return any(spelt in _loose_names().get(id_, ()) for id_ in ids)


@cache
def _loose_names() -> Mapping[str, Collection[_Spelt]]:
    text = (files("ingest") / "loose_names.tsv").read_text(encoding="utf-8")
    by_id: dict[str, set[_Spelt]] = defaultdict(set)
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        by_id[row["id"]].add((row["language"], spelling(normalise(row["name"]))))
    return dict(by_id)
