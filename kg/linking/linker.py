"""Links text with the entities of a table of names; says when it does not know.

A mention matches a name exactly, by the long form of an abbreviation, or by
similarity: the 20 names nearest by character n-grams, ranked by a string
similarity; the best is accepted if it reaches a threshold calibrated on the
table's own names (``kg.linking.calibration``).
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Self

from kg.errors import LinkingError
from kg.linking.abbreviated import with_abbreviations, without_overlaps
from kg.linking.described import find_descriptions
from kg.linking.index import NameIndex, read_summary
from kg.linking.measurements import measured_values
from kg.linking.mention import Candidate, Mention
from kg.linking.names import Names, concepts_of
from kg.linking.ranking import FINDINGS, NOTHING, ONTOLOGIES, Ranked, Ranking
from kg.linking.running_text import DictionaryReader, Hit, ReadText
from kg.linking.scorers import DEFAULT_SCORER
from kg.progress import Progress
from kg.stores.store import Stamp, Store
from kg.text.context import contexts
from kg.text.normal import normalise


@dataclass(frozen=True)
class LinkOptions:
    """Options of a linker."""

    types: tuple[str, ...] | None = None
    """Node types that a mention may be linked with, in order of preference; None: all."""
    scorer: str = DEFAULT_SCORER
    """A name in ``kg.linking.scorers.SCORERS``."""
    threshold: float | None = None
    """Score below which it abstains; None: as calibrated for the scorer and the language."""
    limit: int = 5
    """Candidates of a mention at most."""
    fuzzy: bool = True
    """In running text, find misspelt names, names in another word order and ``findings`` too."""
    findings: bool = True
    """In running text, link values ("SpO2 91 %") and descriptions ("leg is swollen") with the
    findings that they state."""
    context: bool = True
    """Flag mentions that are negated, or about the family."""


class Linker:
    """Links mentions and running text; threads may share it."""

    def __init__(self, index: NameIndex, options: LinkOptions | None = None) -> None:
        """Link with ``index``.

        Raises:
            ConfigurationError: there is no such scorer.
        """
        self.index = index
        self.options = options or LinkOptions()
        self._ranking = Ranking(
            index, self.options.scorer, self.options.threshold, self.options.types
        )
        self._reader = DictionaryReader(index)

    @classmethod
    def of_names(
        cls, names: Names, options: LinkOptions | None = None, progress: Progress | None = None
    ) -> Self:
        """Index a table of names and link with it.

        Raises:
            LinkingError: there is no name to index.
        """
        from kg.linking.indexing import index_names  # noqa: PLC0415 - not needed with a ready index

        return cls(index_names(names, progress), options)

    @classmethod
    def of_store(
        cls,
        store: Store,
        folder: Path | None = None,
        options: LinkOptions | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Link with the names of a graph.

        Args:
            store: the graph.
            folder: keeps an index for each graph; it is made anew when the graph's names
                changed. Layers without named entities (CUI links, checks, vectors, runs)
                leave them as they are. Where it cannot be written nothing is kept.
            options: how to decide.
            progress: shown while an index is made.

        Raises:
            LinkingError: the graph has no names.
            StoreError: the store failed.
        """
        applied = store.stamp()
        stamp = applied.knowledge if applied else None
        names_from = "" if stamp is None else _names_stamp(store, stamp)
        if folder is not None:
            folder = folder / blake2b(store.uri.encode(), digest_size=6).hexdigest()
        if folder is not None and names_from and _is_made_from(folder, names_from):
            with suppress(LinkingError):  # a damaged one is made again from the graph
                index = NameIndex.load(folder)
                if index.concepts_from == repr(stamp):
                    return cls(index, options)
                return cls(
                    _saved(index.with_concepts(concepts_of(store), repr(stamp)), folder), options
                )
        from kg.linking.indexing import index_names  # noqa: PLC0415 - as above

        index = index_names(Names.of_store(store), progress, names_from)
        return cls(_saved(replace(index, concepts_from=repr(stamp)), folder), options)

    @classmethod
    def load(cls, folder: Path, options: LinkOptions | None = None) -> Self:
        """Link with an index that ``save`` wrote.

        Raises:
            LinkingError: there is none, it is not whole, or another medkg made it.
        """
        return cls(NameIndex.load(folder), options)

    def save(self, folder: Path) -> None:
        """Save the index in ``folder``.

        Raises:
            OSError: it cannot be written.
        """
        self.index.save(folder)

    def link(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> list[Mention]:
        """The mentions in a text, none overlapping, in their order.

        Args:
            text: any text; English and Chinese may be mixed.
            spans: the mentions' offsets, where something else recognised them; None:
                the dictionary of names does.
        """
        if spans is not None:
            return self._with_contexts(text, [self._resolve_span(text, *span) for span in spans])
        read = ReadText.of(text)
        mentions = self._names(read)
        if self.options.findings and self.options.fuzzy:
            mentions = self._with_findings(read, mentions)
        return self._with_contexts(text, mentions)

    def _names(self, read: ReadText) -> list[Mention]:
        """The mentions by name, and those of abbreviations."""
        hits = self._reader.hits(read, fuzzy=self.options.fuzzy)
        mentions = [mention for hit in hits for mention in self._mentions_of_hit(read, hit)]
        with_candidates = [mention for mention in mentions if mention.candidates]
        return with_abbreviations(
            read.text, with_candidates, self.resolve, self._expand, self._read
        )

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """Link a text that is one mention as a whole.

        Args:
            mention: the text.
            types: node types to choose from; None: those of the options.
        """
        ranked = self._ranking.rank(mention, self.options.limit, types)
        return self._mention(0, len(mention), mention, ranked)

    def candidates(
        self, mention: str, limit: int | None = None, types: Collection[str] | None = None
    ) -> list[Candidate]:
        """The entities that a mention may mean, best first, whether sure or not."""
        limit = limit or self.options.limit
        return list(self._ranking.rank(mention, limit, types).candidates[:limit])

    def called(self, name: str, types: Collection[str] | None = None) -> list[Candidate]:
        """The entities that go by this very name, best first; quicker than ``candidates``."""
        return list(self._ranking.named(name, types).candidates)

    def _expand(self, short: str) -> Mention:
        """What an abbreviation means that the text does not define."""
        return self._mention(0, len(short), short, self._ranking.named(short))

    def _read(self, short: str) -> Mention:
        """What an abbreviation means in a sentence, where it is a finding."""
        named = self._names(ReadText.of(f"It was {short}."))
        findings = (m for m in named if m.text == short and m.entity and m.entity.type in FINDINGS)
        return next(findings, self._mention(0, len(short), short, NOTHING))

    def _resolve_span(self, text: str, start: int, end: int) -> Mention:
        if not 0 <= start <= end <= len(text):
            raise LinkingError(
                f"the span {start} to {end} is not in the text of {len(text)} characters; "
                "give offsets in code points"
            )
        return replace(self.resolve(text[start:end]), start=start, end=end)

    def _mentions_of_hit(self, read: ReadText, hit: Hit) -> list[Mention]:
        ranked = self._ranking.of_hit(hit, read.surface(hit.start, hit.end))
        if hit.method == "exact" and (parts := self._parts_of_hit(read, hit, ranked)):
            return parts
        if _is_finding(ranked) and read.is_no_finding(hit.start, hit.end):
            ranked = ranked._replace(sure=False)
        return [self._mention_of_hit(read, hit, ranked)]

    def _parts_of_hit(self, read: ReadText, hit: Hit, ranked: Ranked) -> list[Mention]:
        """What is meant instead of a name: two findings in it, or one of fewer words."""
        if _is_pair(ranked) or ranked.is_minted:
            for halves in self._reader.halves(read, hit):
                ranked_halves = [self._ranking.of_hit(half, "") for half in halves]
                if all(map(_is_finding, ranked_halves)):
                    return list(map(partial(self._mention_of_hit, read), halves, ranked_halves))
        fewer = [*self._reader.of_family(read, hit)]
        if not ranked.is_of_ontology:
            fewer += self._reader.without_degree(read, hit)
        for plain in fewer:
            ranked_plain = self._ranking.of_hit(plain, "")
            if ranked_plain.sure and (ranked_plain.is_of_ontology or not ranked.is_minted):
                return [self._mention_of_hit(read, plain, ranked_plain)]
        return []

    def _with_findings(self, read: ReadText, mentions: list[Mention]) -> list[Mention]:
        """Add findings by values and descriptions, which go before names inside them."""
        named = {
            (m.start, m.end) for m in mentions if m.entity and m.entity.id.startswith(ONTOLOGIES)
        }
        values = [
            value for value in measured_values(read.text) if (value.start, value.end) not in named
        ]
        valued = [
            self._mention(value.start, value.end, read.text[value.start : value.end], ranked)
            for value in values
            if (ranked := self._ranking.of_term(value.id, value.label, "measurement"))
        ]
        normal = [(value.start, value.end) for value in values if not value.id]
        descriptions = list(without_overlaps(self._descriptions(read, mentions), valued))
        findings = [*valued, *(mention for mention in descriptions if mention.candidates)]
        names = [
            m
            for m in without_overlaps(mentions, [*valued, *descriptions])
            if not _is_in_value(m, normal)
        ]
        return sorted([*findings, *names], key=lambda m: m.start)

    def _descriptions(self, read: ReadText, mentions: list[Mention]) -> Iterator[Mention]:
        """Described findings, except where a name says the same or one at least as long overlaps.

        A description of something normal has no candidates.
        """
        linked = [(m.start, m.end) for m in mentions if m.linked]
        named = {(m.start, m.end): m.entity for m in mentions if m.entity}
        for description in find_descriptions(read.canonical, read.gaps()):
            start, end = read.words[description.start].start, read.words[description.end - 1].end
            if any(
                first < end
                and start < last
                # "pressure sore on the hip" is more than a sore on the hip
                and (last - first >= end - start or first < start)
                for first, last in linked
                if (first, last) != (start, end)
            ):
                continue
            place = description.start, description.end
            if description.id and (read.is_no_finding(*place) or read.is_part_of_name(*place)):
                continue
            ranked = self._ranking.of_term(description.id, description.label, "description")
            entity = named.get((start, end))
            if (
                entity
                and (
                    (ranked and entity.id == ranked.candidates[0].id)
                    # no description is better than the name of an ontology
                    or (
                        entity.id.startswith(ONTOLOGIES)
                        and normalise(entity.name) == normalise(read.text[start:end])
                    )
                )
            ):
                continue
            if ranked or not description.id:
                mention = self._mention(start, end, read.text[start:end], ranked or NOTHING)
                yield replace(mention, negated=True) if description.denied else mention

    def _mention_of_hit(self, read: ReadText, hit: Hit, ranked: Ranked) -> Mention:
        start, end = read.words[hit.start].start, read.words[hit.end - 1].end
        return self._mention(start, end, read.text[start:end], ranked)

    def _mention(self, start: int, end: int, text: str, ranked: Ranked) -> Mention:
        shown = ranked.candidates[: self.options.limit]
        return Mention(start, end, text, ranked.method, shown, ranked.sure)

    def _with_contexts(self, text: str, mentions: list[Mention]) -> list[Mention]:
        if not self.options.context or not mentions:
            return mentions
        context_of_mentions = contexts(text, [(m.start, m.end) for m in mentions])
        return [
            replace(mention, negated=mention.negated or context.negated, family=context.family)
            if context.negated or context.family
            else mention
            for mention, context in zip(mentions, context_of_mentions, strict=True)
        ]


def _is_in_value(mention: Mention, values: list[tuple[int, int]]) -> bool:
    """Whether a finding is read into a value within its range: R21 of "R21次/分"."""
    entity = mention.entity
    return (
        entity is not None
        and entity.type in FINDINGS
        and any(start < mention.end and mention.start < end for start, end in values)
    )


def _is_finding(ranked: Ranked) -> bool:
    """Whether a symptom or disease is meant for sure."""
    return ranked.sure and ranked.candidates[0].type in FINDINGS


def _is_pair(ranked: Ranked) -> bool:
    """Whether a name is one term for two findings, or it is open which of two it means."""
    if not ranked.candidates:
        return False
    first = ranked.candidates[0]
    return not ranked.sure or (first.type == "Symptom" and " and " in first.name)


def _names_stamp(store: Store, stamp: Stamp) -> str:
    """Identifies the names of a graph: its build, and the layers that added named entities."""
    naming = {name for (name,) in store.query("entity.naming_layers").rows} if stamp.layers else ()
    return repr((stamp.checksum, *(layer for layer in stamp.layers if layer[0] in naming)))


def _saved(index: NameIndex, folder: Path | None) -> NameIndex:
    if folder is not None:
        with suppress(OSError):  # then the next linker of this graph makes it again
            index.save(folder)
    return index


def _is_made_from(folder: Path, made_from: str) -> bool:
    try:
        return read_summary(folder).made_from == made_from
    except LinkingError:
        return False
