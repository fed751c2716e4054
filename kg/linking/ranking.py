"""Ranks the names that a mention may mean, and decides whether the best one is meant."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from kg.linking.index import NameIndex
from kg.linking.mention import MINTED, Candidate, Method
from kg.linking.running_text import Hit
from kg.linking.scorers import scorer as find_scorer
from kg.linking.scorers import scores
from kg.linking.similar import NEAREST, Similar, similar_names
from kg.text.abbreviations import meanings
from kg.text.canonical import canonical
from kg.vocabulary import NODE_TYPES

FINDINGS: Final = ("Symptom", "Disease")
_NEAREST_OF_A_TYPE: Final = 200
"""The nearest names looked at, where those of other types do not count."""
_MAX_ABBREVIATION: Final = 4
"""Letters of an abbreviation that means other things elsewhere; longer ones (STEMI) do not."""
ONTOLOGIES: Final = ("HP:", "MONDO:")
"""Of findings and diseases; other ontologies' nodes have few facts where these have one."""
_CODES: Final = ("ICD9CM:", "ICD10CM:", "ICD10:", "ICD11:")
"""Codes of classifications, which have fewer facts than the nodes of ontologies."""


class Ranked(NamedTuple):
    """The entities that a mention may mean."""

    candidates: tuple[Candidate, ...]
    """Best first, each entity once."""
    method: Method | None
    sure: bool
    """Whether the first one is meant."""

    @property
    def is_of_ontology(self) -> bool:
        """Whether the best one is of an ontology of findings."""
        return bool(self.candidates) and self.candidates[0].id.startswith(ONTOLOGIES)

    @property
    def is_minted(self) -> bool:
        """Whether the best one is known by a source's name or code alone."""
        return bool(self.candidates) and self.candidates[0].id.startswith((MINTED, *_CODES))


NOTHING: Final = Ranked((), None, sure=False)


class _Rank(NamedTuple):
    """Sort key of an entity that goes by a name; the lowest is best."""

    other_source: bool
    """A finding that is not of HPO or MONDO, where those go first."""
    synonym: bool
    source: int
    type: int


class Ranking:
    """Ranks by one scorer and decides by one threshold."""

    def __init__(
        self,
        index: NameIndex,
        scorer: str,
        threshold: float | None,
        types: Sequence[str] | None,
    ) -> None:
        """Rank the names of ``index``.

        Args:
            index: the names.
            scorer: name of a scorer.
            threshold: score from which the best is accepted; None: as calibrated.
            types: node types to choose from, preferred ones first; None: all.

        Raises:
            ConfigurationError: there is no such scorer.
        """
        self._index = index
        self._scorer = scorer
        find_scorer(scorer)
        # fuzzywuzzy's scorers are trusted from where rapidfuzz's of that name are
        self._thresholds = index.thresholds[scorer.rpartition(".")[2]]
        self._threshold = threshold
        self._types = types
        self._order = {name: at for at, name in enumerate(types or NODE_TYPES)}

    def rank(self, mention: str, limit: int, types: Collection[str] | None = None) -> Ranked:
        """What a text that is one mention may mean: ``limit`` entities, or few more."""
        key = canonical(mention)
        if not key:
            return NOTHING
        named = self.named(mention, types)
        if named.candidates:
            return named
        return self._by_similarity(key, mention, self._allowed(types), limit)

    def named(self, mention: str, types: Collection[str] | None = None) -> Ranked:
        """What goes by this very name, or by the long form of an abbreviation with only one."""
        allowed = self._allowed(types)
        exact = self._by_key(canonical(mention), allowed, "exact")
        exact = exact and self._unless_ambiguous(mention, exact)
        if exact and exact.sure:
            return exact
        meaning = self._by_meaning(mention, allowed)
        if meaning and (exact is None or meaning.candidates[0] in exact.candidates):
            return meaning
        return exact or NOTHING

    def _allowed(self, types: Collection[str] | None) -> Collection[str] | None:
        return types if types is not None else self._types

    def of_hit(self, hit: Hit, surface: str) -> Ranked:
        """The entities of a name that was found in running text, where it is written ``surface``.

        A name with one or two wrong letters, or with its words in another order, is taken without
        a calibrated threshold: only one that the options set applies.
        """
        if hit.method == "exact":
            ranked = self._ranked(hit.rows, 1.0, hit.method, self._types, ontologies_first=True)
            return self._unless_other_meaning(surface, self._unless_ambiguous(surface, ranked))
        [score] = scores(self._scorer, hit.written, [self._index.keys[hit.key]])
        ranked = self._ranked(hit.rows, score, hit.method, self._types)
        return ranked if ranked.candidates and score >= self._required_score(ranked) else NOTHING

    def of_term(self, id_: str, label: str, method: Method) -> Ranked | None:
        """An HPO term that a text describes in other words: by its id, else by its label."""
        position = self._index.positions.get(canonical(label)) if label else None
        if position is None:
            return None
        names, entities = self._index.names, self._index.entities
        rows = self._index.rows(position)
        with_id = [row for row in rows if entities.id[names.entity[row]] == id_]
        findings = [row for row in rows if entities.type[names.entity[row]] in FINDINGS]
        ranked = self._ranked(with_id or findings, 1.0, method, self._types)
        return ranked if ranked.sure else None

    def _by_key(self, key: str, types: Collection[str] | None, method: Method) -> Ranked | None:
        position = self._index.positions.get(key)
        if position is None:
            return None
        ranked = self._ranked(self._index.rows(position), 1.0, method, types)
        return ranked if ranked.candidates else None

    def _by_meaning(self, mention: str, types: Collection[str] | None) -> Ranked | None:
        """By the long form of an abbreviation that has only one."""
        long_forms = meanings(mention.strip())
        return (
            self._by_key(canonical(long_forms[0]), types, "abbreviation")
            if len(long_forms) == 1
            else None
        )

    def _unless_ambiguous(self, surface: str, ranked: Ranked) -> Ranked:
        """Prefer the one meaning of an abbreviation; not sure if it has several (RA, PE).

        An abbreviation with a single meaning means that (ARDS), whatever else has it as a name.
        """
        long_forms = meanings(surface.strip()) if surface.isupper() and ranked.candidates else ()
        if not long_forms:
            return ranked
        if len(long_forms) > 1:
            return ranked._replace(sure=False)
        of_long_form = self._by_key(canonical(long_forms[0]), self._types, "exact")
        if not of_long_form or (self._types and ranked.sure):
            return ranked
        first = [c for c in ranked.candidates if c.id == of_long_form.candidates[0].id]
        rest = (c for c in ranked.candidates if c not in first)
        return Ranked((*first, *rest), ranked.method, sure=True) if first else ranked

    def _unless_other_meaning(self, surface: str, ranked: Ranked) -> Ranked:
        """Doubt a short abbreviation in running text that may mean something else.

        Ontologies have abbreviations that mean other things in a note (HPI, MED, ALT): a finding
        that has one only as a synonym is not meant where a list gives it another meaning.
        """
        first = ranked.candidates[0] if ranked.candidates else None
        if not (first and ranked.sure and surface.isupper() and len(surface) <= _MAX_ABBREVIATION):
            return ranked
        if first.type not in FINDINGS or not first.id.startswith(ONTOLOGIES):
            return ranked
        if canonical(first.name) == canonical(surface):
            return ranked
        long_forms = meanings(surface.strip())
        if not long_forms:
            return ranked
        of_long_form = self._by_key(canonical(long_forms[0]), self._types, "exact")
        ids = {candidate.id for candidate in ranked.candidates}
        is_meant = of_long_form is not None and any(c.id in ids for c in of_long_form.candidates)
        return ranked if is_meant else ranked._replace(sure=False)

    def _by_similarity(
        self, key: str, mention: str, types: Collection[str] | None, limit: int
    ) -> Ranked:
        near = max(NEAREST, limit) if types is None else _NEAREST_OF_A_TYPE
        best: dict[str, Candidate] = {}
        names_with_candidates: list[tuple[Similar, Ranked]] = []
        for name in similar_names(self._index, key, self._scorer, near, mention):
            ranked = self._ranked(self._index.rows(name.key), name.score, name.method, types)
            if ranked.candidates:
                names_with_candidates.append((name, ranked))
            for candidate in ranked.candidates:
                best.setdefault(candidate.id, candidate)
            if len(best) >= max(limit, 2):
                break
        sure = self._is_sure(names_with_candidates)
        method = names_with_candidates[0][0].method if names_with_candidates else None
        return Ranked(tuple(best.values()), method, sure)

    def _is_sure(self, names: Sequence[tuple[Similar, Ranked]]) -> bool:
        """Whether the first of some names is meant: by its likeness, and no other as much."""
        if not names:
            return False
        name, ranked = names[0]
        if not ranked.sure or not name.same_numbers or name.score < self._required_score(ranked):
            return False
        rivals = (
            other.candidates[0].id
            for rival, other in names[1:]
            if (rival.method, rival.score) == (name.method, name.score)
        )
        return all(rival == ranked.candidates[0].id for rival in rivals)

    def _ranked(
        self,
        rows: Iterable[int],
        score: float,
        method: Method,
        types: Collection[str] | None,
        *,
        ontologies_first: bool = False,
    ) -> Ranked:
        """The entities of names of one key: sure unless it is only a synonym of two of a type.

        A preferred name goes before a synonym; ties go to the source with more facts
        (``_source_rank``), then to the preferred type, then to the entity with more names.

        Args:
            rows: the names.
            score: their likeness to the mention.
            method: how they were found.
            types: node types to choose from; None: all.
            ontologies_first: a finding of HPO or MONDO with this synonym goes before one of another
                source with this preferred name ("kidney stones").
        """
        names, entities = self._index.names, self._index.entities
        allowed = [
            row for row in rows if types is None or entities.type[names.entity[row]] in types
        ]
        if len({names.entity[row] for row in allowed}) == 1:  # the usual case, made fast
            row = min(allowed, key=lambda row: not names.preferred[row])
            return Ranked((self._index.candidate(row, score),), method, sure=True)
        ranks: dict[int, _Rank] = {}
        chosen: dict[int, int] = {}
        for row in allowed:
            entity = names.entity[row]
            source, synonym = self._source_rank(entity), not names.preferred[row]
            from_other_source = (
                ontologies_first and source > 0 and entities.type[entity] in FINDINGS
            )
            rank = _Rank(from_other_source, synonym, source, self._type_rank(row))
            if entity not in ranks or rank < ranks[entity]:
                ranks[entity], chosen[entity] = rank, row
        best = sorted(ranks, key=lambda e: (ranks[e], -self._index.name_counts[e], e))
        tied = len(best) > 1 and ranks[best[0]] == ranks[best[1]] and ranks[best[0]].synonym
        candidates = tuple(self._index.candidate(chosen[entity], score) for entity in best)
        return Ranked(candidates, method, bool(candidates) and not tied)

    def _source_rank(self, entity: int) -> int:
        """0 for the ontologies that most facts are about; more for others, codes and minted ids."""
        id_ = self._index.entities.id[entity]
        if id_.startswith(MINTED):
            return 3 if self._index.entities.cui[entity] else 4
        if id_.startswith(_CODES):
            return 2
        finding = self._index.entities.type[entity] in FINDINGS
        return int(finding and not id_.startswith(ONTOLOGIES))

    def _type_rank(self, row: int) -> int:
        """A name's type in the order of preference.

        The everyday name of a symptom ("runny nose") is often a synonym of a disease
        too, whose own name has none of its words: then the symptom is meant.
        """
        names, entities = self._index.names, self._index.entities
        entity = names.entity[row]
        type_ = entities.type[entity]
        everyday = (
            self._types is None
            and type_ == "Disease"
            and not names.preferred[row]
            and names.language[row] == "en"
            and _is_foreign(names.name[row], entities.name[entity])
        )
        place = self._order.get(type_, len(self._order))
        return 2 * self._order["Symptom"] + 1 if everyday else 2 * place

    def _required_score(self, ranked: Ranked) -> float:
        if self._threshold is not None:
            return self._threshold
        if ranked.method != "similarity":
            return 0.0
        return self._thresholds[ranked.candidates[0].language]


def _is_foreign(synonym: str, name: str) -> bool:
    """Whether a synonym has no word of the name, and is not its initials."""
    key, words = canonical(synonym), canonical(name).split()
    initials = "".join(word[0] for word in words)
    return key != initials and set(key.split()).isdisjoint(words)
