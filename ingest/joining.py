"""Decides which ids are one node, with the reason for each that it joins or keeps apart.

Ids are one node

1. if an ontology used one before the other (``former id``);
2. if a source says so (``exact match``);
3. if each is among the other's cross-references (``mutual cross-reference``);
4. if they have the same preferred name, in one language and type (``name``);
5. if one is minted from a name, exactly one node of its type has the same UMLS concept and the
   same name or synonym, and the name is not narrower than that node's (``concept and name``). A
   concept alone joins nothing;
6. if one is minted from a name, or only a list of translations has it, and its name is one of
   exactly one node with another id. The kinds of names are searched in this order, and the
   first that any node has decides: the name in a list of translations (``translated name``), the
   ``preferred name``, an ``exact synonym``, a ``layperson's synonym``, the ``name of the close
   match`` (see below), an ``alias``, which a source lists as another name. Also, if a source lists
   the name of another minted id as its alias, has no entry of its own for that, and neither name
   is narrower.

   If several nodes have the name, one of the type's first ontology is taken. A loose name is not
   used, and is listed where no other joined: a synonym, if an id of the other type has it as main
   name, if UMLS has another concept of exactly this name, if it is narrower or broader than the
   preferred name, or if that is one of a numbered series; and any name, if the name of the node
   says another kind (inherited, malignant, benign) or is one of a numbered series, or if it is one
   of those that were read and found to mean something else (``ingest.loose_names``). Nor are
   aliases and layperson's names in English, nor aliases that match several nodes. Codes of a list
   of translations come first, and use a synonym only if several ontologies have it.

Reasons are tried by the order of sources, then of the rules, then of ids. Never joined are two
ids of one ontology (two OMIM numbers, say; an id that it no longer uses does not count), two
types, and two nodes of a graph that was merged before (where a source says IS_NODE_OF): such a
reason is refused and listed. A name without an id gets an id minted from its type and normalised
name, which all its spellings share. Its type is that of the relation it is used in: rule 6
searches nodes of this type first, then findings for a disease and diseases for a finding (a list
of diseases has vomiting among them). An abbreviation alone is not used in rule 6, and an id with
UMLS concepts is not joined with a node that has only others.

A disease that is also a finding of others stays two nodes, which are close matches: one has the
other among its cross-references, or both share a UMLS concept and a name or synonym.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ingest.close_matches import close_matches
from ingest.equivalence import Conflict, Groups, Reason, prefix
from ingest.identity import (
    MINTED_PREFIX,
    NAMELESS_TYPES,
    Candidate,
    CloseMatch,
    Coded,
    Identity,
    JoinReason,
    Match,
    Merged,
    Refused,
    Why,
    is_minted,
    name_reasons,
    statement_reasons,
)
from ingest.loose_names import is_loose
from ingest.name_index import SEARCHES, NameIndex, NameMatch, Node
from ingest.names import PREFERRED, Name, is_narrower
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
    """Decide which ids are one node; the order of the arguments' items does not matter.

    Args:
        candidates: every id that has a type.
        sources: names of the sources, by position.
        matches: statements of sources about two ids.
        coded: ids with a UMLS concept that an id minted from a name has too.
        crossed: cross-references between diseases and findings.
        graphs: names of the graphs that were merged before, by the ids of their nodes.
    """
    return _Joining(candidates, sources, graphs).result(matches, coded, crossed)


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
        self._preferred = {
            each.id: [name for name in each.names if name.level == PREFERRED]
            for each in candidates
        }
        self._former: set[str] = set()
        self._graphs = graphs
        self._groups = Groups(self._types, MINTED_PREFIX)
        self._mentioned = {each.id for each in candidates if each.mentioned}
        self._accepted: list[JoinReason] = []
        self._refused: list[Refused] = []

    def result(
        self, matches: Iterable[Match], coded: Collection[Coded], crossed: Collection[Match]
    ) -> Identity:
        matches = list(matches)
        self._former = {match.tail for match in matches if match.rule == "former id"}
        self._groups = Groups(self._types, MINTED_PREFIX, self._former, self._graphs)
        stated = {*statement_reasons(matches), *name_reasons(self._candidates)}
        for reason in sorted(stated, key=JoinReason.rank):
            self._join(reason)
        self._join_by_concept(coded)
        close = close_matches(
            [each for each in self._candidates if not self._has_minted_ids_only(each.id)],
            [each for each in crossed if self._mentioned.issuperset((each.head, each.tail))],
            self._groups.of,
        )
        self._join_by_names(close)
        nodes: dict[str, str] = {}
        merged_nodes: list[str] = []
        for members in self._groups:
            if mentioned := self._mentioned.intersection(members):
                node = self._representative(mentioned)
                nodes.update((member, node) for member in members if member != node)
                if len(self._types.keys() & set(members)) > 1:
                    merged_nodes.append(node)
        between_nodes = {
            each._replace(
                disease=nodes.get(each.disease, each.disease),
                finding=nodes.get(each.finding, each.finding),
            )
            for each in close
        }
        merged = self._merged(merged_nodes)
        return Identity(nodes, merged, self._refused, sorted(between_nodes), self._retyped())

    def _retyped(self) -> dict[str, str]:
        types = self._types
        return {
            each.id: types[each.id] for each in self._candidates if types[each.id] != each.type
        }

    def _join(self, reason: JoinReason) -> None:
        outcome = self._groups.join(reason.ids)
        if isinstance(outcome, Conflict):
            self._refused.append(self._refused_for(reason, outcome.reason, outcome.conflict))
        elif outcome:
            self._accepted.append(reason)

    def _refused_for(self, rejected: JoinReason, reason: Reason | Why, conflict: str) -> Refused:
        names = self._names(rejected)
        return Refused(rejected.rule, reason, conflict, rejected.ids, rejected.evidence, names)

    def _names(self, reason: JoinReason) -> tuple[str, ...]:
        return tuple(self._sources[position] for position in sorted(set(reason.positions)))

    def _join_by_concept(self, coded: Collection[Coded]) -> None:
        """Join an id minted from a name with the one node that has the same concept and name."""
        preferred = self._preferred
        holders: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        concepts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        positions: dict[tuple[str, str], int] = {}
        for each in coded:
            positions[each.id, each.cui] = each.position
            # an abbreviation is one only as it is written: COMA of an apraxia is no coma
            names = {
                (lang, name if is_symbol(name) else normalise(name)) for lang, name in each.names
            }
            for language, normal in names:
                if normal:
                    key = each.cui, language, normal
                    holders[key].add(each.id)
                    concepts[each.id].append(key)
        for id_ in sorted(filter(is_minted, concepts)):
            if not self._has_minted_ids_only(id_):
                continue
            partners = {
                (self._groups.of(other), other, key)
                for key in sorted(concepts[id_])
                for other in holders[key]
                if self._types[other] == self._types[id_]
                and not self._groups.are_one((id_, other))
                and not is_narrower(preferred[id_], preferred[other])
                and not is_loose((id_, *self._groups.members(other)), *key[1:])
            }
            if partners:
                self._join_with(id_, partners, positions)

    def _join_with(
        self,
        id_: str,
        partners: set[tuple[int, str, tuple[str, str, str]]],
        position_of: Mapping[tuple[str, str], int],
    ) -> None:
        nodes = {group for group, _, _ in partners}
        _, other, (cui, _, name) = min(partners, key=lambda partner: partner[1:])
        ids = (id_, other) if len(nodes) == 1 else (id_, *sorted({p[1] for p in partners}))
        positions = tuple(position_of[each, cui] for each in ids if (each, cui) in position_of)
        reason = JoinReason(
            positions, "concept and name", tuple(sorted(ids)), f"UMLS:{cui} {name}"
        )
        if len(nodes) == 1:
            self._join(reason)
        else:
            conflict = f"{len(nodes)} nodes have both"
            self._refused.append(self._refused_for(reason, "several nodes", conflict))

    def _join_by_names(self, close: Collection[CloseMatch]) -> None:
        """Join ids minted from names with the nodes that have these names, until none is left."""
        candidates = sorted(
            (each for each in self._candidates if each.type not in NAMELESS_TYPES),
            key=lambda each: each.id,
        )
        index = self._name_index(candidates, close)
        refused: dict[str, Refused] = {}
        # codes of a list of translations first: their names in the other language decide
        # which nodes the other names match
        self._join_unmatched(
            [each for each in candidates if not is_minted(each.id)], index, refused
        )
        self._join_unmatched(candidates, index, refused)
        self._refused += [
            refused[each.id]
            for each in candidates
            if each.id in refused and self._has_minted_ids_only(each.id)
        ]

    def _join_unmatched(
        self, candidates: Sequence[Candidate], index: NameIndex, refused: dict[str, Refused]
    ) -> None:
        """Join candidates with the nodes that they match, the surest first; note why others fail."""
        search = 0
        while search < len(SEARCHES):
            candidates = [each for each in candidates if self._has_minted_ids_only(each.id)]
            matches = [(self._match(each, index, search), each.id) for each in candidates]
            found = sorted((match, id_) for match, id_ in matches if match)
            for match, id_ in found:
                if match.is_loose:
                    refused.setdefault(id_, self._refused_as_loose(id_, match))
            matched = [(match, id_) for match, id_ in found if not match.is_loose]
            codes_by_target = Counter(
                match.ids for match, id_ in matched if self._is_loose_code(id_, match)
            )
            outcomes = {
                id_: self._refused_for(
                    self._reason(id_, match),
                    "several codes",
                    f"{codes_by_target[match.ids]} codes mean it",
                )
                if self._is_loose_code(id_, match) and codes_by_target[match.ids] > 1
                else self._join_match(id_, match)
                for match, id_ in matched
            }
            refused |= {
                id_: outcome for id_, outcome in outcomes.items() if isinstance(outcome, Refused)
            }
            search = 0 if True in outcomes.values() else search + 1

    def _name_index(
        self, candidates: Collection[Candidate], close: Collection[CloseMatch]
    ) -> NameIndex:
        entries = {
            (name.language, name.normal, at)
            for candidate in candidates
            for name in candidate.names
            if name.is_main
            for at in candidate.entries
        }
        minted_only = {
            candidate.id for candidate in candidates if self._has_minted_ids_only(candidate.id)
        }
        searched = {
            (n.language, n.normal) for c in candidates if c.id in minted_only for n in c.names
        }
        index = NameIndex(entries, searched)
        ends = {self._groups.of(end) for match in close for end in (match.disease, match.finding)}
        names: dict[int, list[Name]] = {group: [] for group in ends}
        concepts: dict[int, set[str]] = defaultdict(set)
        for candidate in candidates:
            if not is_minted(candidate.id):
                concepts[self._groups.of(candidate.id)].update(candidate.concepts)
        for candidate in candidates:
            group = self._groups.of(candidate.id)
            has_id = not (is_minted(candidate.id) or candidate.id in minted_only)
            index.add(
                candidate.id, candidate.type, candidate.names, concepts[group], has_id=has_id
            )
            if group in names:
                names[group] += candidate.names
        for candidate in self._candidates:
            if candidate.type == "Concept":
                index.add_concept(candidate.id.partition(":")[2], candidate.names)
        matched: dict[int, dict[int, str]] = defaultdict(dict)
        for match in close:
            disease, finding = self._groups.of(match.disease), self._groups.of(match.finding)
            matched[disease][finding] = match.finding
            matched[finding][disease] = match.disease
        for group, matches_of_group in matched.items():
            if len(matches_of_group) == 1:  # with two close matches the name is ambiguous
                ((group_of_other, other),) = matches_of_group.items()
                main = self._main_names(other), self._main_names(matched[group_of_other][group])
                index.add_close(
                    other, self._types[other], names[group_of_other], names[group], main=main
                )
        return index

    def _match(self, each: Candidate, index: NameIndex, search: int) -> NameMatch | None:
        def find_node(other: str, name: Name) -> Node | None:
            is_node = not self._has_minted_ids_only(other)
            if is_node != SEARCHES[search].has_id or self._groups.are_one((each.id, other)):
                return None
            order = NODE_TYPES[self._types[other]].prefixes
            members = [*self._groups.members(other)]
            rank = min(_ontology_rank(id_, order) for id_ in members)
            known = is_loose((each.id, *members), name.language, name.normal)
            return Node(rank >= len(order), rank, self._main_names(other), known)

        if is_minted(each.id):
            return index.best_match(self._types[each.id], each.names, search, find_node)
        # A code that only a list of translations has: its English names are those of the
        # ontologies, the Chinese ones are the translations.
        english = [name for name in each.names if name.language == "en"]
        match = index.best_match(self._types[each.id], english, search, find_node)
        if match is None or match.rule == "preferred name":
            return match
        # titles of a classification are worded loosely: at least two ontologies must have the
        # title as a synonym, three if it shares no word with their preferred names
        required = 2 if index.shares_word(match.name, match.ids) else 3
        return match if match.rule == "exact synonym" and len(match.ids) >= required else None

    @staticmethod
    def _is_loose_code(id_: str, match: NameMatch) -> bool:
        """Whether a code of a list of translations matches a node by a synonym.

        Where several codes match one node, most of them name a part of it.
        """
        return not is_minted(id_) and match.rule == "exact synonym"

    def _reason(self, id_: str, match: NameMatch) -> JoinReason:
        nodes = {self._groups.of(other): other for other in reversed(match.ids)}
        ids = tuple(sorted((id_, *nodes.values())))
        return JoinReason(match.positions, match.rule, ids, match.name.normal)

    def _refused_as_loose(self, id_: str, match: NameMatch) -> Refused:
        main = ", ".join(name.normal for name in self._main_names(match.ids[0]))
        return self._refused_for(self._reason(id_, match), "a loose name", main)

    def _join_match(self, id_: str, match: NameMatch) -> Refused | bool:
        """Join an id with the node that its name matches; whether they were joined, or why not."""
        if not self._has_minted_ids_only(id_):
            return False  # joined meanwhile, by another name of the same node
        reason = self._reason(id_, match)
        nodes = {self._groups.of(other) for other in match.ids}
        if match.name.is_abbreviation:
            return self._refused_for(reason, "an abbreviation", match.name.normal)
        if len(nodes) > 1:
            return self._refused_for(reason, "several nodes", f"{len(nodes)} nodes go by it")
        own_concepts, other_concepts = self._concepts_of(id_), self._concepts_of(match.ids[0])
        if own_concepts and other_concepts and not own_concepts & other_concepts:
            conflict = f"UMLS:{min(own_concepts)} and UMLS:{min(other_concepts)}"
            return self._refused_for(reason, "other concepts", conflict)
        type_before, other = self._types[id_], match.ids[0]
        self._groups.retype(id_, self._types[other])
        outcome = self._groups.join((id_, other))
        if isinstance(outcome, Conflict):
            self._groups.retype(id_, type_before)
            return self._refused_for(reason, outcome.reason, outcome.conflict)
        if outcome:
            self._accepted.append(reason)
        return outcome

    def _main_names(self, id_: str) -> Collection[Name]:
        """The preferred names of the id that stands for the node of this one."""
        members = self._groups.members(id_)
        return self._preferred.get(
            self._representative(self._mentioned.intersection(members) or [*members]), ()
        )

    def _concepts_of(self, id_: str) -> set[str]:
        concepts = (self._concepts.get(each, frozenset()) for each in self._groups.members(id_))
        return set().union(*concepts)

    def _has_minted_ids_only(self, id_: str) -> bool:
        return all(map(is_minted, self._mentioned.intersection(self._groups.members(id_))))

    def _representative(self, ids: Collection[str]) -> str:
        """The id that a merged node gets: one that a source mentions and that is in use."""
        order = NODE_TYPES[self._groups.type_of(min(ids))].prefixes
        return min(ids, key=lambda id_: (id_ in self._former, _ontology_rank(id_, order), id_))

    def _merged(self, nodes: Collection[str]) -> list[Merged]:
        """Each id of merged nodes, with the reason that connects it to its node."""
        members = {id_ for node in nodes for id_ in self._groups.members(node)}
        by_id: dict[str, list[JoinReason]] = defaultdict(list)
        for reason in self._accepted:
            for id_ in members.intersection(reason.ids):
                by_id[id_].append(reason)
        merged = (each for node in nodes for each in self._with_reasons(node, by_id))
        return sorted(merged, key=lambda each: each.id)

    def _with_reasons(
        self, node: str, by_id: Mapping[str, Sequence[JoinReason]]
    ) -> Iterator[Merged]:
        reached: dict[str, tuple[str, JoinReason] | None] = {node: None}
        path = [node]
        for current in path:  # grows meanwhile
            for reason in by_id.get(current, ()):
                for id_ in reason.ids:
                    if id_ not in reached:
                        reached[id_] = current, reason
                        path.append(id_)
        needed = set(self._types.keys() & set(path))
        for id_ in reversed(path):
            step = reached[id_]
            if step is not None and id_ in needed:
                needed.add(step[0])
                reason = step[1]
                yield Merged(id_, node, reason.rule, reason.evidence, self._names(reason))


def _ontology_rank(curie: str, order: Sequence[str]) -> int:
    """Rank of an id: the type's preferred ontologies first, others after, minted ids last."""
    own_prefix = prefix(curie)
    if own_prefix == MINTED_PREFIX:
        return len(order) + 1
    return order.index(own_prefix) if own_prefix in order else len(order)
