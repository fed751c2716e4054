"""dismech: phenotypes, treatments and genes of disorders, as JSON lines of short descriptions.

Disorders, treatments and genes are known by their names, phenotypes by terms of HPO (a few by those
of MONDO, or by name alone); the texts are not carried over.

* A phenotype is a symptom of the disorder. Its name is the source's own and often says more or less
  than the term, so it is evidence, and not a name of the term.
* A treatment is taken where its words tell that it is a drug, a procedure or a way of living, by
  the same words as in the kind ``pages`` and some more; a drug's therapy is the drug. Several in
  one, what only prevents or watches, and what is tried out are quarantined.
* A gene is taken where the row gives its symbol and says that variants of it matter; what the row
  says of it is evidence.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.json_files import JsonValue, json_type, json_values
from ingest.sources.kind import SourceKind
from ingest.sources.pages.cues import Types
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, published, record_json, write_rows
from kg.errors import SourceError
from kg.progress import Progress
from kg.text.phrases import Phrase

_PACKAGE: Final = "ingest.sources.dismech"
_ENDINGS: Final = ("*_texts.jsonl", "*_texts.jsonl.gz")
_UNREADABLE: Final = "unreadable record"
_SHOWN: Final = 100

_ABBREVIATION: Final = re.compile(r"\s*\([A-Z][A-Z0-9-]+\)$")
_IN_PARENTHESES: Final = re.compile(r"\s*\([^()]*\)$")
_NO_FINDING: Final = re.compile(
    r"^(no|not|without|largely|near-normal|normal|benign|straight)\b|\bcourse$|\bage at\b|smok"
    r"|\b(risk|survival|expression)\b",
    re.IGNORECASE,
)

_NO_TREATMENT: Final = re.compile(
    r"avoid|prevent|prophyla|surveill|monitor|screen|counsel|vaccin|immuni[sz]ation|educat|observation|watch"
    r"|testing|research|diagnos|biopsy|discontinu|^none\b",
    re.IGNORECASE,
)
_EXPERIMENTAL: Final = re.compile(
    r"\b(preclinical|investigational|experimental|proposed|ineffective|empiric|emerging|uncertain"
    r"|under (development|investigation|study)|being explored|mouse models?|in mice)\b",
    re.IGNORECASE,
)
_SEVERAL: Final = re.compile(
    r"\b(and|or|plus|with|for|in|of|to|by|during|from|versus|followed)\b|[/,;+]| - ",
    re.IGNORECASE,
)
_GIVING: Final = re.compile(r"\s+(therapy|treatment|pharmacotherapy|monotherapy)$", re.IGNORECASE)
_LIVING: Final = frozenset(("diet", "exercise", "cessation", "abstinence"))
_DONE: Final = re.compile(
    r"(cardioversion|chelation|closure|correction|decompression|denervation|exchange|implantation"
    r"|lengthening|neurostimulation|ostomy|photocoagulation|placement|release|revascularization"
    r"|stabilization)$"
)
"""Procedures that the words of ``pages`` lack."""
_STEMS: Final = re.compile(
    r"\w{2}(ainide|apant|astine|bart|begron|caftor|ciguat|clax|degib|dralazine|elestat|entan"
    r"|fenacin|fungin|gatran|gliflozin|glustat|ibat|imod|lactone|leucel|lidomide|lisib|lutamide"
    r"|metacin|metinib|milast|nercept|pitant|plase|promide|rafenib|rasib|relin|relix|rsen|semide"
    r"|siran|sidenib|stim|sulfase|terol|trombopag|vaptan|vec|ximin|zepam|zomib)$"
)
"""Stems by which the WHO names drugs, that the words of ``pages`` lack."""
_ONE_DRUG: Final = re.compile(
    r"[A-Z][a-z]{6,}(?<!ion|ing|age|ure)(?<!ment|ance)(?<!ia|is)(?<![sy])"
)
"""One word, and none by which things that are done are called: nearly always a drug's name."""
_MANAGED: Final = re.compile(
    r"\b(care|management|support|intervention|treatments?|services|program(me)?s?)$", re.IGNORECASE
)
_ANY: Final = re.compile(
    r"((adjunctive|advanced|biological|combination|conventional|medical|multidisciplinary"
    r"|supportive|symptomatic|systemic|targeted|topical)\s+)*(therapy|therapies|surgery|medications?)",
    re.IGNORECASE,
)
"""What says of a treatment nothing but that it is one."""

_SYMBOL: Final = (
    r"(?:HLA-(?:[A-CE-G]|D[MOPQR][AB]\d?)|MT-[A-Z0-9]+|[A-Z][A-Z0-9]*[A-Z]\d*-\d+|C\d+orf\d+"
    r"|[A-Z][A-Z0-9]+)"
)
_VARIANTS: Final = (
    r"(?:gene|germline|somatic|mosaic|biallelic|heterozygous|hemizygous|homozygous|compound|rare"
    r"|recurrent|truncating|missense|null|structural|intragenic|pathogenic|activating|inactivating"
    r"|gain-of-function|loss-of-function|dominant-negative|mutations?|variants?|deletions?"
    r"|haploinsufficiency|amplification|rearrangement|polymorphisms?|promoter|repeat|expansion"
    r"|deficiency|exon|\d+|[A-Z]\d+[A-Z]|\([^()]*\))"
)
_OF_ONE_GENE: Final = re.compile(rf"(?P<symbol>{_SYMBOL})(?P<rest>(?: (?i:{_VARIANTS}))*)")
_FAMILIES: Final = frozenset(("DEFA", "FGFR", "HLA", "IGHV", "MHC", "NOTCH", "RAS"))
"""What is written like a symbol and is no one gene."""
_MATTERS: Final = re.compile(
    r"caus|pathogenic|mutat|mutant|variant|germline|somatic|loss|gain|inactivat|risk|susceptib"
    r"|predispos|gwas|modif|associated|deletion|amplif|fusion|rearrange|translocation|expansion"
    r"|polymorphism|haploinsufficiency|deficiency|allele|oncogenic driver",
    re.IGNORECASE,
)
_DOES_NOT: Final = re.compile(
    r"non-causal|wild-type|rarely|protective|viral|partner|autoantigen|marker|expression|prognos"
    r"|regulated|resistance",
    re.IGNORECASE,
)


class DismechSource(SourceSettings, frozen=True):
    """Descriptions drawn from dismech."""

    kind: Literal["dismech"]
    name: SourceName = "dismech"
    file: Path
    """A file of descriptions, plain or .gz, or a folder of them (``*_texts.jsonl``)."""
    link: bool = False
    """Whether names without an id are linked with the nodes of the other sources."""


def files(source: DismechSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has none.
    """
    if not source.file.is_dir():
        return (source.file,)
    paths = sorted(path for ending in _ENDINGS for path in source.file.glob(ending))
    if not paths:
        raise SourceError(
            f"{source.file}: no *_texts.jsonl is in it; correct the source's file in the "
            "configuration"
        )
    return tuple(paths)


def read(
    source: DismechSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    paths = files(source)
    descriptions = _Descriptions()
    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), len(paths)) as advance,
    ):

        def rows() -> Iterator[Row]:
            for path in paths:
                for value in json_values(path):
                    yield descriptions.row_of(path.name, value)
                advance(1)

        return write_rows(rows(), source.name, folder)


class _UnusableError(Exception):
    """A row states nothing for the graph; the message says why."""


class _End(NamedTuple):
    """A disorder, or what it has with the evidence of it."""

    type: str
    id: str | None
    name: str | None
    evidence: str | None = None


class _Descriptions:
    """Assertions from rows, by their ``source_type``."""

    def __init__(self) -> None:
        self._curies = Curies()
        self._types = Types.read()
        self._words = RelationMap.of(_PACKAGE)
        self._of: Mapping[str, Callable[[Mapping[str, Any], str], _End]] = {
            "phenotype_description": self._phenotype,
            "treatment_description": self._treatment,
            "genetic_description": self._gene,
        }

    def row_of(self, file: str, value: JsonValue) -> Row:
        """The edge that a row gives, or the row in quarantine."""
        record = value.value
        payload = record.get("payload") if isinstance(record, dict) else None
        if not (isinstance(record, dict) and isinstance(payload, dict)):
            reason = value.problem or "the record is no JSON object with an object 'payload'"
            shown = record_json({"value": record})
            return (Quarantined(file, value.row, _UNREADABLE, reason, shown),)
        word = payload.get("source_type")
        word = word.strip() if isinstance(word, str) else ""
        shown = word[:_SHOWN] or "no source_type"
        try:
            disease, finding = self._ends(word, payload, record.get("text"))
        except _UnusableError as e:
            return (Quarantined(file, value.row, shown, str(e), record_json(record)),)
        mapped = self._words.relations[word][0]
        disorder = _End("Disease", None, disease)
        head, tail = (finding, disorder) if mapped.inverted else (disorder, finding)
        return (
            Assertion(
                *(file, value.row, word, head.id, head.type, head.name, mapped.relation),
                *(tail.id, tail.type, tail.name),
                evidence=finding.evidence,
            ),
        )

    def _ends(self, word: str, payload: Mapping[str, Any], text: object) -> tuple[str, _End]:
        """The disorder's name, and what it has.

        Raises:
            _UnusableError: the row says nothing that the graph could hold.
        """
        if word not in self._of:
            raise _UnusableError(self._words.why_not(word or "no source_type"))
        disease = _text(payload, "disease").replace("_", " ").strip()
        if not disease:
            raise _UnusableError("the row names no disease")
        tail = self._of[word](payload, text if isinstance(text, str) else "")
        return _ABBREVIATION.sub("", disease), tail

    def _phenotype(self, payload: Mapping[str, Any], _: str) -> _End:
        name, term = _text(payload, "phenotype_name"), _text(payload, "hpo_id")
        if not name:
            raise _UnusableError("the row names no phenotype")
        if _NO_FINDING.search(name):
            raise _UnusableError(f"'{name[:_SHOWN]}' names no finding that the disorder has")
        if not term:
            return _End("Symptom", None, name)
        if problem := self._curies.problem(term):
            raise _UnusableError(f"hpo_id: {problem}")
        types = {"HP": "Symptom", "MONDO": "Disease"}
        if (node_type := types.get(term.partition(":")[0])) is None:
            raise _UnusableError(f"hpo_id: '{term[:_SHOWN]}' is no term of HPO or MONDO")
        return _End(node_type, term, None, name.replace("|", "/"))

    def _treatment(self, payload: Mapping[str, Any], text: str) -> _End:
        written = _text(payload, "treatment_name")
        name = _IN_PARENTHESES.sub("", written)
        shown = f"'{written[:_SHOWN]}'"
        if not name:
            raise _UnusableError("the row names no treatment")
        if _NO_TREATMENT.search(written):
            raise _UnusableError(f"{shown} prevents, watches or advises, and treats nothing")
        first_sentence = text.removeprefix(f"{written}:").partition(". ")[0]
        if _EXPERIMENTAL.search(written) or _EXPERIMENTAL.search(first_sentence):
            raise _UnusableError(f"{shown} is tried out, or doubtful, by what the row says of it")
        if _SEVERAL.search(name):
            raise _UnusableError(f"{shown} is several things, or one for a part of the disorder")
        if _ANY.fullmatch(name) or _MANAGED.search(name):
            raise _UnusableError(f"{shown} says no more than that there is a treatment")
        drug = _GIVING.sub("", name)
        if drug != name and self._type(drug) == "Drug":
            return _End("Drug", None, drug)
        node_type = self._type(name) or ("Drug" if _ONE_DRUG.fullmatch(name) else None)
        if node_type is None:
            raise _UnusableError(
                f"the words of {shown} do not tell if it is a drug or a procedure"
            )
        return _End(node_type, None, name)

    def _type(self, name: str) -> str | None:
        """What the last word of a treatment tells."""
        last = name.lower().split()[-1]
        if last in _LIVING:
            return "Behavior"
        if _DONE.match(last):
            return "Procedure"
        if _STEMS.search(last):
            return "Drug"
        types = self._types.types_of(Phrase(0, len(last), last, last, "", "", "item", 0))
        return next((type_ for type_ in ("Drug", "Procedure") if type_ in types), None)

    def _gene(self, payload: Mapping[str, Any], _: str) -> _End:
        name, association = _text(payload, "genetic_name"), _text(payload, "association")
        match = _OF_ONE_GENE.fullmatch(name)
        if match is None or match["symbol"] in _FAMILIES:
            raise _UnusableError(f"'{name[:_SHOWN]}' is not the symbol of one gene")
        text = f"{match['rest']} {association}".strip()
        if not _MATTERS.search(text) or _DOES_NOT.search(association):
            shown = association[:_SHOWN] or name[:_SHOWN]
            raise _UnusableError(f"'{shown}' does not say that variants of the gene matter")
        evidence = " ".join((association or name).replace("|", "/").split())
        return _End("Gene", None, match["symbol"], evidence[:_SHOWN])


def _text(payload: Mapping[str, Any], key: str) -> str:
    """A text of a row without blanks around it; empty where there is none.

    Raises:
        _UnusableError: it is something else.
    """
    value = payload.get(key)
    if value is not None and not isinstance(value, str):
        raise _UnusableError(f"'{key}' holds {json_type(value)} where a text is expected")
    return (value or "").strip()


KIND: Final = SourceKind(
    title="dismech, the Disorder Mechanisms Knowledge Base: phenotypes, treatments, genes",
    licence=(
        "Apache-2.0 (the repository that the descriptions are taken from); dismech is written with "
        "the help of language models and reviewed by curators"
    ),
    citation="Disorder Mechanisms Knowledge Base (dismech), Monarch Initiative",
    needs=("phenotype_texts.jsonl, treatment_texts.jsonl, genetic_texts.jsonl; those wanted",),
    obtained=(
        "GitHub: sciknow-io/alhazen-skill-dismech "
        "(dismech-workspace/benchmark-rag-vs-structured/corpus)"
    ),
    files=files,
    read=read,
)
