"""One build as four graphs: with and without what the rules reject, with and without scores."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ingest.check.check import rejected_symptoms
from ingest.check.layer import write_layer
from ingest.check.rules import ask_rules, load_rules
from kg.discrimination import Scores, score
from kg.progress import Silent
from kg.stores.embedded import EmbeddedStore
from kg.tables import GraphTables

AS_BUILT: Final = "as built"

_NONE: Final = Scores([], [], np.zeros(0))


def graphs(home: Path, work: Path) -> Iterator[tuple[str, Path]]:
    """Name and file of each graph; the first is as it was built.

    Args:
        home: of a build.
        work: gets the files.
    """
    tables = GraphTables(home / "tables")
    plain = work / "plain.lbug"
    with EmbeddedStore(plain) as store:
        store.load(tables)
        answers = ask_rules(store, load_rules(), Silent())
        everything, kept = score(store), score(store, without=rejected_symptoms(answers))
    yield AS_BUILT, plain
    for name, found, scores in (
        ("cleaned", answers, _NONE),
        ("with scores", (), everything),
        ("cleaned, with scores", answers, kept),
    ):
        file = work / f"{name.replace(', ', '-').replace(' ', '-')}.lbug"
        shutil.copyfile(plain, file)
        layer = write_layer(found, scores, tables, work / file.stem, "experiment")
        with EmbeddedStore(file) as store:
            store.apply_layer(layer)
        yield name, file
