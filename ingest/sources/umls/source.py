"""The UMLS Metathesaurus, as a release's own files in Rich Release Format.

* ``MRCONSO.RRF``: names and synonyms of concepts, the nodes ``UMLS:C…``.
* ``MRDEF.RRF``: their definitions.
* ``MRREL.RRF``: relations, as edges between the things that concepts stand for, each with
  HAS_CUI to its concept; ``relations.yaml`` says which words are read.
* ``MRSTY.RRF``: semantic types; ``semantic_types.yaml`` says which node types they are.

A full release has 20 million names and 100 million relations. All table work streams and
spills, so memory stays what the configuration allows. Rows that the settings leave out, and
rows whose word or whose types the graph has no relation for, are one quarantined record for
each kind, which says how many rows it stands for and counts as one in the accounts; broken
rows stand in quarantine one by one.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.relations import RelationMap
from ingest.sources.umls import definitions
from ingest.sources.umls.concepts import Names, concept_types, types_part
from ingest.sources.umls.files import RrfRows, release_rows
from ingest.sources.umls.relations import Relations
from ingest.sources.umls.settings import UmlsSource
from ingest.sources.writing import ReadResult
from kg.errors import LinkingError, SourceError
from kg.progress import Progress
from kg.rrf import MRCONSO, MRDEF, MRREL, MRSTY, check_first_row, release_file

_COLUMNS: Final = {
    "MRSTY.RRF": MRSTY,
    "MRCONSO.RRF": MRCONSO,
    "MRREL.RRF": MRREL,
    "MRDEF.RRF": MRDEF,
}
_NEEDED: Final = ("MRCONSO.RRF", "MRSTY.RRF")


def files(source: UmlsSource) -> tuple[Path, ...]:
    """The input files.

    Raises:
        SourceError: MRCONSO.RRF or MRSTY.RRF is missing.
    """
    return tuple(_release_files(source).values())


def read(
    source: UmlsSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: UmlsSource, workplace: Workplace) -> Iterator[Part]:
    """What each file gives, one after the other."""
    words, paths = RelationMap.of("ingest.sources.umls"), _release_files(source)

    def opened(name: str, filled: str) -> RrfRows:
        columns = _COLUMNS[name]
        return RrfRows(release_rows(workplace, paths[name], columns), columns, filled=filled)

    def made(name: str) -> dict[str, str]:
        return {"source": source.name, "file": paths[name].name}

    sty = opened("MRSTY.RRF", "TUI")
    types = workplace.kept(concept_types(sty, source), "types")
    yield types_part(sty, words, made("MRSTY.RRF")) + sty.broken(made("MRSTY.RRF"), workplace)
    conso = opened("MRCONSO.RRF", "STR")
    names = Names(conso, types, source, workplace)
    yield names.part(made("MRCONSO.RRF")) + conso.broken(made("MRCONSO.RRF"), workplace)
    if "MRREL.RRF" in paths:
        rel = opened("MRREL.RRF", "REL")
        entities = workplace.kept(names.entities(source.languages[0]), "entities")
        relations = Relations(rel, words, entities, source, workplace)
        yield relations.part(made("MRREL.RRF")) + rel.broken(made("MRREL.RRF"), workplace)
    if "MRDEF.RRF" in paths:
        mrdef = opened("MRDEF.RRF", "DEF")
        definitions_part = definitions.read(mrdef, names.table, source, made("MRDEF.RRF"))
        yield definitions_part + mrdef.broken(made("MRDEF.RRF"), workplace)


def _release_files(source: UmlsSource) -> dict[str, Path]:
    """The files by name; the first row of each is looked at."""
    paths = {}
    try:
        for name, columns in _COLUMNS.items():
            if name in _NEEDED or _is_there(source.folder, name):
                paths[name] = release_file(source.folder, name)
                check_first_row(paths[name], columns)
    except LinkingError as e:
        raise SourceError(str(e)) from e
    return paths


def _is_there(folder: Path, name: str) -> bool:
    try:
        release_file(folder, name)
    except LinkingError:
        return False
    return True


KIND: Final = SourceKind(
    title="UMLS Metathesaurus: concepts, names, definitions and clinical relations",
    licence="UMLS Metathesaurus License Agreement; each source vocabulary has its own terms",
    citation=(
        "Bodenreider. The Unified Medical Language System (UMLS): integrating biomedical "
        "terminology. Nucleic Acids Research 2004;32:D267-D270"
    ),
    needs=("MRCONSO.RRF", "MRSTY.RRF", "MRREL.RRF (for relations)", "MRDEF.RRF (for definitions)"),
    obtained="US National Library of Medicine, with a free UMLS licence: Metathesaurus Full Subset",
    files=files,
    read=read,
)
