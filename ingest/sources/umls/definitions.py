"""MRDEF.RRF: definitions of concepts."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.parts import Part
from ingest.sources.umls.files import RrfRows
from ingest.sources.umls.left_out import LeftOut
from ingest.sources.umls.settings import UmlsSource
from ingest.sources.writing import as_assertions, counted
from kg.rrf import MRDEF

WORD: Final = "MRDEF.RRF"


def read(rows: RrfRows, names: ir.Table, source: UmlsSource, made: Mapping[str, str]) -> Part:
    """Assertions from the definitions; a definition is in the language of the name (AUI) it is of.

    Args:
        rows: of MRDEF.RRF.
        names: those of MRCONSO.RRF that the settings ask for: ``aui, language``.
        source: the settings.
        made: ``source`` and ``file``.
    """
    of_names = names.select(name_aui=names.aui, language=names.language)
    table = rows.readable.left_join(of_names, of_names.name_aui == rows.readable.AUI)
    checked = table.mutate(
        word=ibis.literal(WORD),
        reason=ibis.cases(
            *source.leaves_out(table),
            (table.name_aui.isnull(), ibis.literal("the settings leave out the name it is of")),
            else_=ibis.null("string"),
        ),
    )
    left_out = LeftOut(checked)
    facts = checked.filter(checked.reason.isnull())
    assertions = as_assertions(
        facts,
        {
            **made,
            "row": facts.row,
            "original_relation": WORD,
            "head": ibis.literal("UMLS:") + facts.CUI,
            "head_type": "Concept",
            "relation": "HAS_DEFINITION",
            "value": facts.filled,
            "language": facts.language,
            "evidence": facts.SAB,
        },
    )
    return Part(
        (assertions,),
        (left_out.quarantine(rows.all, MRDEF, made),),
        left_out.records() + Counter(counted(facts, facts.word)),
    )
