"""Decides which ids are one node, and says why for every one that it joins or leaves apart.

Ids are one node

1. where an ontology used one before the other (``former id``);
2. where a source says so (``exact match``);
3. where each stands among the other's cross-references (``mutual cross-reference``);
4. where they have one preferred name, in one language and type (``name``);
5. where a thing that sources know by name alone and exactly one node of its type share a
   UMLS concept and a name or synonym, and its own name says no more than the node's (``concept and
   name``). A concept alone joins nothing.
6. where a thing that sources know by name alone, or that only a list of translations has, is
   called by a name of exactly one node that has another id: what a list of translations calls
   this id (``translated name``), its ``preferred name``, an ``exact synonym``, a ``layperson's
   synonym``, the ``name of the close match`` (see below) or what a source lists as another name
   of it (an ``alias``), the first of these that any node has; and where a source lists the name
   of another such thing as its alias, has no entry of that by itself, and neither name is
   narrower. Of several nodes that go by a name alike one of the type's first ontology is meant.
   A synonym is no name where a thing of the other type has it as its own, where UMLS has another
   concept of just this name, where it says more or less than the preferred name, or where that is
   one of a numbered series; nor is an alias or a layperson's name in English, nor any of several
   aliases that mean several nodes. A list's codes come first, and take a synonym only if several
   ontologies have it.

What an earlier source says goes first, then the order above, then the ids. Nothing joins
two ids of one ontology (two OMIM numbers, say; one that it no longer uses does not count)
or two types, nor two nodes of a graph that was merged already (where a source says IS_NODE_OF):
such a reason is refused and listed. A name that sources give without an id gets an id minted
from its type and normalised name, which all spellings of that normal form share. Its type is
that of the relation it stands in: rule 6 looks among nodes of this type first, and what no disease
is called may then be a finding, and the other way round (a list of diseases has vomiting among
them). An abbreviation by itself is no name in rule 6, and a thing that has UMLS concepts joins no
node that has only others.

A disease that is a finding of others as well stays two nodes, which are close matches: one has
the other among its cross-references, or both share a UMLS concept and a name or synonym.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, get_args

from ingest.close_matches import close_matches
from ingest.equivalence import Conflict, Groups, Reason, prefix
from ingest.identity import (
    MINTED_PREFIX,
    NAMELESS_TYPES,
    Candidate,
    CloseMatch,
    Coded,
    Identity,
    Match,
    Merged,
    Refused,
    Rule,
    Why,
    is_minted,
)
from ingest.known_names import BRIDGED, PREFERRED, WAYS, KnownNames, Meant, Name, says_more
from kg.linking.symbols import is_symbol
from kg.text import normalise
from kg.vocabulary import NODE_TYPES


def same_nodes(
    candidates: Collection[Candidate],
    sources: Sequence[str],
    matches: Iterable[Match] = (),
    coded: Collection[Coded] = (),
    *,
    crossed: Collection[Match] = (),
    graphs: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Identity:
    """Join ids; the result does not depend on the order of what is given.

    Args:
        candidates: every id that is known with a type.
        sources: by position.
        matches: what sources say of two ids.
        coded: of ids that share a concept with one that is known by name alone.
        crossed: cross-references between diseases and findings.
        graphs: that were merged already, by the ids of their nodes.
    """
    return _Joining(candidates, sources, graphs).result(matches, coded, crossed)


_RULES: Final[tuple[Rule, ...]] = get_args(Rule)


class _Joined(NamedTuple):
    """A reason to take ids for one node."""

    positions: tuple[int, ...]
    """Of the sources that it is from."""
    rule: Rule
    ids: tuple[str, ...]
    evidence: str

    def rank(self) -> tuple[int, int, tuple[str, ...], str]:
        """Reasons are tried in this order: once the last of the sources has spoken."""
        return max(self.positions), _RULES.index(self.rule), self.ids, self.evidence


class _Joining:
    def __init__(
        self,
        candidates: Collection[Candidate],
        sources: Sequence[str],
        graphs: Mapping[str, Collection[str]],
    ) -> None:
        self._candidates = candidates
        self._sources = sources
        self._types = {each.id: each.type for each in candidates}
        self._concepts = {each.id: each.concepts for each in candidates}
        self._former: set[str] = set()
        self._graphs = graphs
        self._groups = Groups(self._types, MINTED_PREFIX)
        self._mentioned = {each.id for each in candidates if each.mentioned}
        self._joined: list[_Joined] = []
        self._refused: list[Refused] = []

    def result(
        self, matches: Iterable[Match], coded: Collection[Coded], crossed: Collection[Match]
    ) -> Identity:
        matches = list(matches)
        self._former = {match.tail for match in matches if match.rule == "former id"}
        self._groups = Groups(self._types, MINTED_PREFIX, self._former, self._graphs)
        stated = {*_by_statement(matches), *_by_name(self._candidates)}
        for reason in sorted(stated, key=_Joined.rank):
            self._join(reason)
        self._join_by_concept(coded)
        close = close_matches(
            [each for each in self._candidates if not self._is_known_by_name_alone(each.id)],
            [each for each in crossed if self._mentioned.issuperset((each.head, each.tail))],
            self._groups.of,
        )
        self._join_by_known_names(close)
        nodes: dict[str, str] = {}
        several: list[str] = []
        for members in self._groups:
            if known := self._mentioned.intersection(members):
                node = self._representative(known)
                nodes.update((member, node) for member in members if member != node)
                if len(self._types.keys() & set(members)) > 1:
                    several.append(node)
        settled = {
            each._replace(
                disease=nodes.get(each.disease, each.disease),
                finding=nodes.get(each.finding, each.finding),
            )
            for each in close
        }
        merged = self._merged(several)
        return Identity(nodes, merged, self._refused, sorted(settled), self._retyped())

    def _retyped(self) -> dict[str, str]:
        now = self._types
        return {each.id: now[each.id] for each in self._candidates if now[each.id] != each.type}

    def _join(self, reason: _Joined) -> None:
        joined = self._groups.join(reason.ids)
        if isinstance(joined, Conflict):
            self._refused.append(self._refused_for(reason, joined.reason, joined.conflict))
        elif joined:
            self._joined.append(reason)

    def _refused_for(self, reason: _Joined, why: Reason | Why, conflict: str) -> Refused:
        names = self._names(reason)
        return Refused(reason.rule, why, conflict, reason.ids, reason.evidence, names)

    def _names(self, reason: _Joined) -> tuple[str, ...]:
        return tuple(self._sources[at] for at in sorted(set(reason.positions)))

    def _join_by_concept(self, coded: Collection[Coded]) -> None:
        """Join what is known by name alone with the one node that shares concept and name."""
        preferred = {
            each.id: [name for name in each.names if name.level == PREFERRED]
            for each in self._candidates
        }
        holders: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        concepts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        positions: dict[tuple[str, str], int] = {}
        for each in coded:
            positions[each.id, each.cui] = each.position
            # an abbreviation is one only as it is written: COMA of an apraxia is no coma
            named = {
                (lang, name if is_symbol(name) else normalise(name)) for lang, name in each.names
            }
            for language, normal in named:
                if normal:
                    key = each.cui, language, normal
                    holders[key].add(each.id)
                    concepts[each.id].append(key)
        for id_ in sorted(filter(is_minted, concepts)):
            if not self._is_known_by_name_alone(id_):
                continue
            partners = {
                (self._groups.of(other), other, key)
                for key in sorted(concepts[id_])
                for other in holders[key]
                if self._types[other] == self._types[id_]
                and not self._groups.are_one((id_, other))
                and not says_more(preferred[id_], preferred[other])
            }
            if partners:
                self._join_with(id_, partners, positions)

    def _join_with(
        self,
        id_: str,
        partners: set[tuple[int, str, tuple[str, str, str]]],
        positions: Mapping[tuple[str, str], int],
    ) -> None:
        nodes = {group for group, _, _ in partners}
        _, other, (cui, _, name) = min(partners, key=lambda partner: partner[1:])
        ids = (id_, other) if len(nodes) == 1 else (id_, *sorted({p[1] for p in partners}))
        where = tuple(positions[each, cui] for each in ids if (each, cui) in positions)
        reason = _Joined(where, "concept and name", tuple(sorted(ids)), f"UMLS:{cui} {name}")
        if len(nodes) == 1:
            self._join(reason)
        else:
            why = f"{len(nodes)} nodes have both"
            self._refused.append(self._refused_for(reason, "several nodes", why))

    def _join_by_known_names(self, close: Collection[CloseMatch]) -> None:
        """Join what is known by name alone with the node that goes by the name, until none is left."""
        waiting = sorted(
            (each for each in self._candidates if each.type not in NAMELESS_TYPES),
            key=lambda each: each.id,
        )
        known = self._known_names(waiting, close)
        refused: dict[str, Refused] = {}
        # a list's codes first: what they are called in another language decides whom names mean
        self._join_waiting([each for each in waiting if not is_minted(each.id)], known, refused)
        self._join_waiting(waiting, known, refused)
        self._refused += [refused[each.id] for each in waiting if each.id in refused]

    def _join_waiting(
        self, waiting: Sequence[Candidate], known: KnownNames, refused: dict[str, Refused]
    ) -> None:
        """Join those that mean somebody, the surest first; note why each of the others does not."""
        way = 0
        while way < len(WAYS):
            waiting = [each for each in waiting if self._is_known_by_name_alone(each.id)]
            found = [(self._meant(each, known, way), each.id) for each in waiting]
            sure = sorted((meant, id_) for meant, id_ in found if meant)
            codes = Counter(meant.ids for meant, id_ in sure if self._is_loose_code(id_, meant))
            tried = {
                id_: self._refused_for(
                    self._reason(id_, meant), "several codes", f"{codes[meant.ids]} codes mean it"
                )
                if self._is_loose_code(id_, meant) and codes[meant.ids] > 1
                else self._join_meant(id_, meant)
                for meant, id_ in sure
            }
            refused |= {id_: why for id_, why in tried.items() if isinstance(why, Refused)}
            way = 0 if True in tried.values() else way + 1

    def _known_names(
        self, candidates: Collection[Candidate], close: Collection[CloseMatch]
    ) -> KnownNames:
        entries = {
            (name.language, name.normal, at)
            for each in candidates
            for name in each.names
            if name.is_own
            for at in each.entries
        }
        alone = {each.id for each in candidates if self._is_known_by_name_alone(each.id)}
        asked = {(n.language, n.normal) for c in candidates if c.id in alone for n in c.names}
        known = KnownNames(entries, asked)
        ends = {self._groups.of(end) for match in close for end in (match.disease, match.finding)}
        names: dict[int, list[Name]] = {group: [] for group in ends}
        concepts: dict[int, set[str]] = defaultdict(set)
        for each in candidates:
            if not is_minted(each.id):
                concepts[self._groups.of(each.id)].update(each.concepts)
        for each in candidates:
            group = self._groups.of(each.id)
            has_id = not (is_minted(each.id) or each.id in alone)
            known.add(each.id, each.type, each.names, concepts[group], has_id=has_id)
            if group in names:
                names[group] += each.names
        for each in self._candidates:
            if each.type == "Concept":
                known.add_concept(each.id.partition(":")[2], each.names)
        matched: dict[int, dict[int, str]] = defaultdict(dict)
        for match in close:
            disease, finding = self._groups.of(match.disease), self._groups.of(match.finding)
            matched[disease][finding] = match.finding
            matched[finding][disease] = match.disease
        for group, others in matched.items():
            if len(others) == 1:  # the name of what matches two says nothing of either
                ((theirs, other),) = others.items()
                known.add_close(other, self._types[other], names[theirs], names[group])
        return known

    def _meant(self, each: Candidate, known: KnownNames, way: int) -> Meant | None:
        def place(other: str) -> tuple[bool, int] | None:
            is_node = not self._is_known_by_name_alone(other)
            if is_node != WAYS[way].has_id or self._groups.are_one((each.id, other)):
                return None
            order = NODE_TYPES[self._types[other]].prefixes
            at = min(_place(id_, order) for id_ in self._groups.members(other))
            return at >= len(order), at

        if is_minted(each.id):
            return known.meant(self._types[each.id], each.names, way, place)
        # A code that only a list of translations has: its English names are the ontologies' words,
        # and the Chinese ones are what it translates.
        english = [name for name in each.names if name.language == "en"]
        meant = known.meant(self._types[each.id], english, way, place)
        if meant is None or meant.rule == "preferred name":
            return meant
        # titles are worded loosely, so two ontologies must have one as a synonym, or three if none
        # has a word of it in its own name
        enough = 2 if known.shares_word(meant.name, meant.ids) else 3
        return meant if meant.rule == "exact synonym" and len(meant.ids) >= enough else None

    @staticmethod
    def _is_loose_code(id_: str, meant: Meant) -> bool:
        """Whether a code of a list of translations means a node by a synonym.

        Of several that do most name a part of it.
        """
        return not is_minted(id_) and meant.rule == "exact synonym"

    def _reason(self, id_: str, meant: Meant) -> _Joined:
        nodes = {self._groups.of(other): other for other in reversed(meant.ids)}
        ids = tuple(sorted((id_, *nodes.values())))
        return _Joined(meant.positions, meant.rule, ids, meant.name.normal)

    def _join_meant(self, id_: str, meant: Meant) -> Refused | bool:
        """Join a name with the one node that it means; whether that was done, or why it was not."""
        if not self._is_known_by_name_alone(id_):
            return False  # joined meanwhile, with another name of the same thing
        reason = self._reason(id_, meant)
        nodes = {self._groups.of(other) for other in meant.ids}
        if meant.name.is_abbreviation:
            return self._refused_for(reason, "an abbreviation", meant.name.normal)
        if len(nodes) > 1:
            return self._refused_for(reason, "several nodes", f"{len(nodes)} nodes go by it")
        own, theirs = self._concepts_of(id_), self._concepts_of(meant.ids[0])
        if own and theirs and not own & theirs:
            conflict = f"UMLS:{min(own)} and UMLS:{min(theirs)}"
            return self._refused_for(reason, "other concepts", conflict)
        was, other = self._types[id_], meant.ids[0]
        self._groups.retype(id_, self._types[other])
        joined = self._groups.join((id_, other))
        if isinstance(joined, Conflict):
            self._groups.retype(id_, was)
            return self._refused_for(reason, joined.reason, joined.conflict)
        if joined:
            self._joined.append(reason)
        return joined

    def _concepts_of(self, id_: str) -> set[str]:
        known = (self._concepts.get(each, frozenset()) for each in self._groups.members(id_))
        return set().union(*known)

    def _is_known_by_name_alone(self, id_: str) -> bool:
        return all(map(is_minted, self._mentioned.intersection(self._groups.members(id_))))

    def _representative(self, known: Collection[str]) -> str:
        """The id that names a merged node, one that a source mentions and that is in use."""
        order = NODE_TYPES[self._groups.type_of(min(known))].prefixes
        return min(known, key=lambda id_: (id_ in self._former, _place(id_, order), id_))

    def _merged(self, nodes: Collection[str]) -> list[Merged]:
        """Each id with the reason that led to it on the way from its node."""
        wanted = {id_ for node in nodes for id_ in self._groups.members(node)}
        by_id: dict[str, list[_Joined]] = defaultdict(list)
        for reason in self._joined:
            for id_ in wanted.intersection(reason.ids):
                by_id[id_].append(reason)
        merged = (each for node in nodes for each in self._explained(node, by_id))
        return sorted(merged, key=lambda each: each.id)

    def _explained(self, node: str, by_id: Mapping[str, Sequence[_Joined]]) -> Iterator[Merged]:
        came: dict[str, tuple[str, _Joined] | None] = {node: None}
        way = [node]
        for at in way:  # grows meanwhile
            for reason in by_id.get(at, ()):
                for id_ in reason.ids:
                    if id_ not in came:
                        came[id_] = at, reason
                        way.append(id_)
        needed = set(self._types.keys() & set(way))
        for id_ in reversed(way):
            step = came[id_]
            if step is not None and id_ in needed:
                needed.add(step[0])
                reason = step[1]
                yield Merged(id_, node, reason.rule, reason.evidence, self._names(reason))


def _place(curie: str, order: Sequence[str]) -> int:
    """The type's preferred ontology first, others after, minted ids last."""
    head = prefix(curie)
    if head == MINTED_PREFIX:
        return len(order) + 1
    return order.index(head) if head in order else len(order)


def _by_statement(matches: Iterable[Match]) -> Iterator[_Joined]:
    """What a source says is one, and what refers to each other."""
    crossed: dict[tuple[str, str], Match] = {}
    stated: dict[tuple[Rule, str, str], Match] = {}
    for match in sorted(matches, key=lambda m: (m.position, m.said)):
        if match.head == match.tail:
            continue
        if match.rule == "mutual cross-reference":
            crossed.setdefault((match.head, match.tail), match)
        else:
            stated.setdefault((match.rule, match.head, match.tail), match)
    for (rule, head, tail), match in stated.items():
        yield _Joined((match.position,), rule, tuple(sorted((head, tail))), match.said)
    for (head, tail), match in crossed.items():
        back = crossed.get((tail, head))
        if back is not None and head < tail:
            said = f"{match.said}; {back.said}"
            positions = match.position, back.position
            yield _Joined(positions, "mutual cross-reference", (head, tail), said)


def _by_name(candidates: Iterable[Candidate]) -> Iterator[_Joined]:
    """Preferred names that several ids of one type have in one language.

    Whom a name without an id means is left open where a list of translations says it.
    """
    named = [
        (candidate.id, (candidate.type, name.language, name.normal), name)
        for candidate in candidates
        if candidate.type not in NAMELESS_TYPES
        for name in candidate.names
    ]
    listed = {key for id_, key, name in named if name.level == BRIDGED and not is_minted(id_)}
    having: dict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    for id_, key, name in named:
        if name.level == PREFERRED and not (key in listed and is_minted(id_)):
            having[key][id_] = name.position
    for (_, _, normal), ids in having.items():
        if len(ids) > 1:
            yield _Joined(tuple(sorted(ids.values())), "name", tuple(sorted(ids)), normal)
