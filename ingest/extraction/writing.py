"""Candidate triples as a table: what a source of kind ``triples`` reads."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cypher.translation import translate
from ingest.extraction.extract import Triple
from kg.errors import ConfigurationError
from kg.stores.store import Rows, Value
from kg.tables import SEPARATOR

COLUMNS: Final = (
    *("head_id", "head", "head_type", "relation", "tail_id", "tail", "tail_type"),
    *("confidence", "questions", "cue", "language", "question"),
)
"""``questions`` counts them; ``question`` has the places, joined by ``|``."""

_DECIMALS: Final = 4
_BLANKS: Final = str.maketrans(dict.fromkeys("\t\r\n", " "))


def rows_of(triples: Sequence[Triple]) -> Rows:
    """A row for each triple, with ``COLUMNS``."""
    return Rows(COLUMNS, tuple(map(_row, triples)))


def summary(triples: Sequence[Triple]) -> Rows:
    """Number of triples, number of questions and mean confidence of each relation."""
    by_relation: dict[str, list[Triple]] = {}
    for triple in triples:
        by_relation.setdefault(triple.relation, []).append(triple)
    rows: list[tuple[Value, ...]] = [
        (
            relation,
            len(of_relation),
            len({question for triple in of_relation for question in triple.questions}),
            round(sum(triple.confidence for triple in of_relation) / len(of_relation), 3),
        )
        for relation, of_relation in sorted(by_relation.items(), key=lambda item: -len(item[1]))
    ]
    return Rows(("relation", "triples", "questions", "mean confidence"), tuple(rows))


def write(triples: Sequence[Triple], out: Path) -> None:
    """Write all triples; the file that was there stays until that is done.

    Raises:
        ConfigurationError: the ending is neither .tsv nor .jsonl.
        OSError: the file cannot be written.
    """
    match out.suffix.casefold():
        case ".tsv":
            lines = ["\t".join(COLUMNS), *map(_tsv, triples)]
        case ".jsonl":
            named = (dict(zip(COLUMNS, _row(each), strict=True)) for each in triples)
            lines = [json.dumps(each, ensure_ascii=False) for each in named]
        case _:
            raise ConfigurationError(translate("{out}: write .tsv or .jsonl", out=out))
    part = out.with_name(f".{out.name}.part")
    try:
        part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _row(triple: Triple) -> tuple[Value, ...]:
    ends = (triple.head_id, triple.head, triple.head_type, triple.relation)
    other = (triple.tail_id, triple.tail, triple.tail_type)
    confidence = round(triple.confidence, _DECIMALS)
    places = SEPARATOR.join(triple.places)
    return (*ends, *other, confidence, len(triple.questions), triple.cue, "en", places)


def _tsv(triple: Triple) -> str:
    return "\t".join(str(value).translate(_BLANKS) for value in _row(triple))
