"""SIDER 4: adverse reactions and indications that were found in the labels of drugs.

* ``meddra_all_se.tsv``: a drug and an adverse reaction.
* ``meddra_freq.tsv``: the same with how often: counted (21%, 1-2), or a word (rare), which is
  kept as it is written. What was seen in nobody, or under a placebo, is quarantined.
* ``meddra_all_indications.tsv``: a drug and what it is given for; the method by which the text
  was mined is the evidence.
* ``drug_names.tsv``: names of drugs.
* ``indications.tsv`` and ``side-effect-terms.tsv`` of the repository dhimmel/SIDER4: indications
  with DrugBank's ids and names of the drugs; terms of the adverse reactions.

A drug is a compound of STITCH, whose ids have the numbers of PubChem's: the one without
stereochemistry ("flat") is the node, others are cross-references. Of MedDRA's terms the
preferred ones are read; the rows with lowest level terms repeat them, and say which of several
preferred terms is the label's word: the others, a tenth of the rows, are quarantined. So are
procedures and tests among the adverse reactions.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import Dialect, delimited_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.sider import facts
from ingest.sources.sider.layout import LAYOUTS, Layout
from ingest.sources.writing import ReadResult
from kg.errors import SourceError
from kg.progress import Progress


class SiderSource(SourceSettings, frozen=True):
    """SIDER as downloaded."""

    kind: Literal["sider"]
    name: SourceName = "sider"
    folder: Path
    """Holds the files to read, plain or .gz."""


def files(source: SiderSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has none.
    """
    return tuple(path for _, path in _files(source))


def read(
    source: SiderSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as one of SIDER's, or ``out`` not be written.
    """
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: SiderSource, place: Workplace) -> Iterator[Part]:
    """What each file gives."""
    words = RelationMap.of("ingest.sources.sider")
    for layout, path in _files(source):
        columns = () if layout.has_header else layout.columns
        dialect = Dialect(delimiter="\t", quote="", columns=columns)
        rows = delimited_rows(place.engine, path, layout.columns, dialect, place.folder)
        yield facts.read(rows, layout, words, {"source": source.name, "file": path.name})


def _files(source: SiderSource) -> list[tuple[Layout, Path]]:
    paths = [
        (layout, path)
        for layout in LAYOUTS
        for path in (source.folder / layout.name, source.folder / f"{layout.name}.gz")
        if path.is_file()
    ]
    if not paths:
        names = ", ".join(layout.name for layout in LAYOUTS)
        raise SourceError(
            f"{source.folder}: none of SIDER's files ({names}) is in it, plain or .gz; "
            "correct the source's folder in the configuration"
        )
    return paths


KIND: Final = SourceKind(
    title="SIDER 4: adverse reactions, their frequencies and indications, from drug labels",
    licence="CC BY-NC-SA 4.0; its terms are MedDRA's, which has a licence of its own",
    citation=(
        "Kuhn, Letunic, Jensen, Bork. The SIDER database of drugs and side effects. "
        "Nucleic Acids Research 2016;44:D1075-D1079"
    ),
    needs=tuple(layout.name for layout in LAYOUTS),
    obtained="SIDER's web site, release 4.1; the two files with header lines from dhimmel/SIDER4",
    files=files,
    read=read,
)
