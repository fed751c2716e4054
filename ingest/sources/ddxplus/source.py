"""DDXPlus: the conditions that its synthetic patients have, and what they are asked.

* ``release_conditions.json``: by name, each condition with ``condition_name``, ``cond-name-fr``,
  ``cond-name-eng``, ``icd10-id``, ``severity`` (1 to 5, 1 the most severe), ``symptoms`` and
  ``antecedents``, which are codes of evidences.
* ``release_evidences.json``: by code, each evidence with ``question_en``, ``is_antecedent``,
  ``data_type`` (B yes or no, C one of several answers, M several) and ``value_meaning``.

An evidence is a question to a patient and has no other name than its question. So it is called
by that, as a Symptom (a finding that a patient tells); its code is the evidence of an edge, its
answers the definition. ``link`` finds the findings in the questions. An antecedent (a habit, an
earlier disease, a relative's) is a finding as well, and a risk factor of the condition. Left out
are ``question_fr``, ``default_value`` and ``code_question`` (which question opens the group),
and the patients.

A row is one statement of a file. Rows in tests are written from the published schema.
"""

from itertools import chain
from pathlib import Path
from typing import Final, Literal

from cypher.translation import translate
from ingest.reading import text_lines
from ingest.sources.ddxplus.statements import Conditions, Evidences
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.json_files import parse_json
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, numbered, published, write_rows
from kg.errors import SourceError
from kg.progress import Progress

CONDITIONS: Final = "release_conditions.json"
EVIDENCES: Final = "release_evidences.json"


class DdxPlusSource(SourceSettings, frozen=True):
    """DDXPlus as downloaded."""

    kind: Literal["ddxplus"]
    name: SourceName = "ddxplus"
    folder: Path
    """Holds release_conditions.json and release_evidences.json, in English or French."""
    link: bool = False
    """Whether its questions are linked with the nodes of the other sources."""


def files(source: DdxPlusSource) -> tuple[Path, ...]:
    """The input files."""
    return source.folder / CONDITIONS, source.folder / EVIDENCES


def read(
    source: DdxPlusSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: a file cannot be read as DDXPlus has it, or ``out`` not be written.
    """
    conditions_file, evidences_file = files(source)
    words = RelationMap.of("ingest.sources.ddxplus")
    evidences = Evidences(_entries(evidences_file), EVIDENCES, words)
    conditions = Conditions(_entries(conditions_file), CONDITIONS, words, evidences.questions)
    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), 1) as advance,
    ):
        rows = (numbered([item] for item in items) for items in (conditions, evidences))
        result = write_rows(chain.from_iterable(rows), source.name, folder)
        advance(1)
    return result


def _entries(path: Path) -> dict[str, object]:
    """The entries of a file by their keys.

    Raises:
        SourceError: it is missing, empty, not JSON, or no object.
    """
    with text_lines(path) as lines:
        text = lines.read()
    try:
        entries = parse_json(text)
    except (ValueError, RecursionError) as e:
        raise SourceError(f"{path}: not a JSON file: {e}; download it again") from e
    if not isinstance(entries, dict):
        raise SourceError(f"{path}: not an object of entries by name; check that it is the file")
    return entries


KIND: Final = SourceKind(
    title="DDXPlus: conditions with the symptoms and antecedents that patients are asked for",
    licence="CC BY 4.0",
    citation=(
        "Fansi Tchango, Goel, Wen, Martel, Ghosn. DDXPlus: a new dataset for automatic medical "
        "diagnosis. NeurIPS 2022 Datasets and Benchmarks, arXiv:2205.09148"
    ),
    needs=(CONDITIONS, EVIDENCES),
    obtained="figshare, DDXPlus Dataset (English), article 22687585",
    files=files,
    read=read,
)
