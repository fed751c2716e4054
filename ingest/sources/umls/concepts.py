"""MRSTY.RRF and MRCONSO.RRF: concepts, their types and their names."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.parts import Part, Workplace
from ingest.sources.relations import RelationMap
from ingest.sources.umls.files import RrfRows
from ingest.sources.umls.left_out import LeftOut
from ingest.sources.umls.semantic_types import node_types
from ingest.sources.umls.settings import Condition, UmlsSource
from ingest.sources.writing import as_assertions, counted
from kg.linking.umls.configuration import LANGUAGES
from kg.rrf import MRCONSO, MRSTY

NAMES: Final = "MRCONSO.RRF"
PREFERRED: Final = f"{NAMES} preferred"
TYPES: Final = "MRSTY.RRF"
"""Words of these files."""

_PREFERRED_TTY: Final = ("PN", "PT", "MH", "NM", "IN")
"""Types of the terms that a source vocabulary itself prefers."""
_ROWS: Final = 10**12
"""More than a file has."""


def concept_types(rows: RrfRows, source: UmlsSource) -> ir.Table:
    """``cui``, ``type`` (null where no node type stands for its semantic types), ``wanted``."""
    ranked = node_types()
    ranks = pa.table(
        {
            "tui": list(ranked),
            "rank": pa.array(range(len(ranked)), pa.int8()),
            "type": list(ranked.values()),
        }
    )
    table = rows.readable.select(cui="CUI", tui="filled")
    typed = table.left_join(ibis.memtable(ranks), "tui")
    wanted = ibis.literal(True)
    if source.semantic_types:
        wanted = typed.tui.isin(source.semantic_types).any()
    return typed.group_by("cui").agg(type=typed.type.argmin(typed["rank"]), wanted=wanted)


def types_part(rows: RrfRows, words: RelationMap, made: Mapping[str, str]) -> Part:
    """The account of the rows of MRSTY.RRF."""
    checked = rows.readable.mutate(word=ibis.literal(TYPES), reason=ibis.literal(TYPES))
    out = LeftOut(checked, explain=lambda word, _: words.why_not(word))
    return Part((), (out.quarantine(rows.all, MRSTY, made),), out.records())


class Names:
    """The names of the concepts that the settings ask for."""

    def __init__(
        self, rows: RrfRows, types: ir.Table, source: UmlsSource, workplace: Workplace
    ) -> None:
        """Choose them.

        Args:
            rows: of MRCONSO.RRF.
            types: from ``concept_types``.
            source: the settings.
            workplace: keeps the chosen names.
        """
        self._rows, self._all = rows.readable, rows.all
        self._types = types
        codes = {LANGUAGES[language]: language for language in source.languages}
        conditions = source.leaves_out(self._rows)
        conditions += source.leaves_out_language(self._rows, tuple(codes))
        if source.semantic_types:
            conditions.append(_has_none(self._rows, types))
        checked = self._rows.mutate(
            word=ibis.literal(NAMES), reason=ibis.cases(*conditions, else_=ibis.null("string"))
        )
        self._left_out = LeftOut(checked)
        kept = checked.filter(checked.reason.isnull())
        self.table = workplace.kept(_with_preferred(kept, codes), "names")
        """``row, cui, aui, language, name, preferred``; one is preferred of each concept and
        language."""

    def entities(self, language: str) -> ir.Table:
        """``cui, name, type``: preferred names in a language, and the node types."""
        chosen = self.table.filter(self.table.preferred & (self.table.language == language))
        typed = chosen.left_join(self._types, "cui")
        return typed.select("cui", "name", "type")

    def part(self, made: Mapping[str, str]) -> Part:
        """What the rows of MRCONSO.RRF give."""
        names = self.table
        word = ibis.ifelse(names.preferred, PREFERRED, NAMES)
        columns = {
            **made,
            "row": names.row,
            "original_relation": word,
            "head": ibis.literal("UMLS:") + names.cui,
            "head_type": "Concept",
            "relation": ibis.ifelse(names.preferred, "HAS_NAME", "HAS_SYNONYM"),
            "value": names.name,
            "language": names.language,
        }
        return Part(
            (as_assertions(names, columns),),
            (self._left_out.quarantine(self._all, MRCONSO, made),),
            self._left_out.records() + Counter(counted(names, word)),
        )


def _has_none(rows: ir.Table, types: ir.Table) -> Condition:
    """Of names: their concepts have none of the semantic types that are asked for."""
    wanted = types.filter(types.wanted)
    reason = "the settings leave out the semantic types of the concept"
    return ~rows.CUI.isin(wanted.cui), ibis.literal(reason)


def _with_preferred(kept: ir.Table, codes: Mapping[str, str]) -> ir.Table:
    """The chosen names; ``preferred`` is that of a concept and language with the least rank.

    TS P, STT PF and ISPREF Y mark the preferred name of all vocabularies together; where it is
    left out, the nearest to it stands for it, or else the first in the file.
    """
    ranks = (kept.TS != "P", kept.STT != "PF", kept.ISPREF != "Y", ~kept.TTY.isin(_PREFERRED_TTY))
    rank = ibis.literal(0)
    for lacks in ranks:
        rank = rank * 2 + lacks.fill_null(True).cast("int64")
    best = kept.mutate(key=rank * _ROWS + kept.row).group_by("CUI", "LAT")
    best = best.agg(best=lambda t: t.key.min() % _ROWS)
    table = kept.left_join(best.select("best"), kept.row == best.best)
    return table.select(
        "row",
        cui="CUI",
        aui="AUI",
        language=table.LAT.cases(*codes.items()),
        name="filled",
        preferred=table.best.notnull(),
    )
