"""Links text-born names with nodes of the other sources, before ids are minted.

A source is text-born where its names were written freely: misspelt, abbreviated,
in another word order. Everything with an id, and everything of the other sources, is
merged first. Then a text-born name without an id

* is linked with the node that has exactly this name, as the merge would find;
* or is linked with a node of its type where ``kg.linking`` is certain enough;
* or stays unlinked, and gets an id minted from it.

A name that comes with a UMLS concept is not linked with a node that has only others. Types
whose names do not identify them (the title of a section) are not linked.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.identity import NAMELESS_TYPES, mint
from ingest.links import Link, Outcome
from ingest.mentions import Mentions, identify
from ingest.statements import CONCEPT, SYNONYM, Statements
from ingest.workspace import Workspace, rows_of
from kg.progress import Progress
from kg.text import normalise
from kg.text.normal import signs

if TYPE_CHECKING:
    from kg.linking.linker import Linker
    from kg.linking.mention import Mention


class _Outcome(NamedTuple):
    outcome: Outcome
    method: str | None = None
    id: str | None = None
    matched: str | None = None
    score: float | None = None

    @property
    def rank(self) -> tuple[bool, float]:
        """Order by reliability: exact names first, then by score."""
        return self.method != "exact", -(self.score or 0.0)

    def of(self, source: str, kind: str, name: str) -> Link:
        """The link of a name of a source."""
        return Link(
            source, kind, name, self.outcome, self.method, self.id, self.matched, self.score
        )


_Key = tuple[str, str]
"""Type and name."""

_COINED: Final = frozenset({"Drug", "Gene"})
"""Types that have names one letter apart."""


def link(
    workspace: Workspace,
    ends: ir.Table,
    statements: Statements,
    sources: Sequence[str],
    *,
    text_born: Collection[str],
    progress: Progress,
) -> tuple[ir.Table, list[Link]]:
    """Give the ends of text-born sources the ids of the nodes that their names are linked with.

    A linked name becomes a synonym of its node only if the node has exactly this name: a
    misspelling is not added.

    Args:
        workspace: keeps the tables.
        ends: of ``find_ends``, with positions.
        statements: of the same assertions.
        sources: by position.
        text_born: sources whose names are linked.
        progress: shows indexing and linking.

    Returns:
        The ends, and the outcome for each name, ordered by source, type and name.
    """
    positions = [position for position, source in enumerate(sources) if source in text_born]
    is_text_born = (
        ends.key.notnull()
        & ends.position.isin(positions)
        & ends.type.notin(tuple(sorted(NAMELESS_TYPES)))
    )
    text_born_ends = workspace.keep("free_ends", ends.filter(is_text_born))
    distinct_names = text_born_ends.select("position", "type", "key").distinct()
    names_by_source = sorted(
        (sources[position], type_, name) for position, type_, name in rows_of(distinct_names)
    )
    if not names_by_source:
        return ends, []
    others = workspace.keep("known_ends", ends.filter(~is_text_born))
    mentions = identify(workspace, others, statements, sources)
    names = sorted({(type_, name) for _, type_, name in names_by_source})
    nodes = _KnownNodes.of(mentions, statements)
    answers = _answers(names, nodes, progress)
    _refuse_contradicted(answers, statements.concepts_of_names(positions), nodes)
    links = [
        answers[type_, name].of(source, type_, name) for source, type_, name in names_by_source
    ]
    return ibis.union(others, _linked(workspace, text_born_ends, answers)), links


@dataclass(frozen=True)
class _KnownNodes:
    """The nodes of all sources that are not text-born."""

    names: pa.Table
    """``id, type, name, language, preferred``, as ``kg.linking`` reads them."""
    nodes: Mapping[_Key, Mapping[str, str]]
    """By type and normalised name, the ids of nodes with that preferred name, as written."""
    minted: frozenset[str]
    """Ids minted from names that are not text-born."""
    concepts: Mapping[str, frozenset[str]]
    """The UMLS concepts of each node that has some."""

    @classmethod
    def of(cls, mentions: Mentions, statements: Statements) -> Self:
        """Take them from a merge of these sources."""
        rows = [row for row in rows_of(_names(mentions)) if normalise(row[2])]
        same = mentions.identity.nodes
        nodes: dict[_Key, dict[str, str]] = {}
        preferred_names = mentions.preferred_names.filter(mentions.preferred_names.name.notnull())
        in_order = preferred_names.order_by("id", "language").select("id", "type", "name")
        for id_, type_, name in rows_of(in_order):
            nodes_of_name = nodes.setdefault((type_, normalise(name)), {})
            nodes_of_name.setdefault(same.get(id_, id_), name)
        ids, types, names, languages, preferred = zip(*rows, strict=True) if rows else [()] * 5
        columns = {"id": ids, "type": types, "name": names, "language": languages}
        table = pa.table(
            {name: pa.array(values, pa.string()) for name, values in columns.items()}
            | {"preferred": pa.array(preferred, pa.bool_())}
        )
        minted = frozenset(id_ for _, _, id_ in rows_of(mentions.minted) if id_)
        concepts: dict[str, set[str]] = defaultdict(set)
        for id_, cuis in statements.concepts_of(mentions.minted).items():
            concepts[same.get(id_, id_)] |= cuis
        for id_, node in same.items():
            if id_.startswith(CONCEPT):
                concepts[node].add(id_.removeprefix(CONCEPT))
        coded = {node: frozenset(cuis) for node, cuis in concepts.items()}
        return cls(table, nodes, minted, coded)

    def exactly(self, kind: str, name: str) -> _Outcome | None:
        """The outcome for a name that nodes have exactly; None if no node has it.

        A name that several nodes have is ambiguous.
        """
        minted = mint(kind, name)
        if minted is None:
            return None
        nodes = self.nodes.get((kind, normalise(name)), {})
        # other sources have this name without an id too: they share the minted id
        if minted in self.minted:
            matched = min(nodes.values(), default=name)
            return _Outcome("linked", "exact", minted, matched, 1.0)
        if not nodes:
            return None
        node, matched = min(nodes.items())
        if len(nodes) > 1:
            return _Outcome("ambiguous", None, node, matched, 1.0)
        return _Outcome("linked", "exact", node, matched, 1.0)


def _names(mentions: Mentions) -> ir.Table:
    """``node, type, name, language, preferred``, each name of a node once, in order."""
    names = mentions.names
    place = ibis.row_number().over(
        group_by=[names.node, names.language],
        order_by=[names["rank"], names.position, names.name],
    )
    names = names.mutate(place=place).join(mentions.types(), "node")
    each = names.group_by("node", "type", "name", "language").agg(
        preferred=(names.place == 0).any()
    )
    return each.order_by("node", "language", ~each.preferred, "name")


def _answers(
    names: Sequence[_Key], nodes: _KnownNodes, progress: Progress
) -> dict[_Key, _Outcome]:
    answers: dict[_Key, _Outcome] = {}
    for kind, name in names:
        if answer := nodes.exactly(kind, name):
            answers[kind, name] = answer
    rest = [key for key in names if key not in answers]
    if not rest or not nodes.names.num_rows:
        return answers | dict.fromkeys(rest, _Outcome("unknown"))
    from kg.linking.indexing import index_names  # noqa: PLC0415 -- a build without text needs none
    from kg.linking.linker import Linker, LinkOptions  # noqa: PLC0415
    from kg.linking.names import Names  # noqa: PLC0415

    index = index_names(Names.of_table(nodes.names), progress)
    linkers = {kind: Linker(index, LinkOptions(types=(kind,))) for kind, _ in rest}
    with progress.step("link names", len(rest)) as advance:
        for kind, name in rest:
            answers[kind, name] = _answer(resolved(linkers[kind], kind, name))
            advance(1)
    return answers


def _refuse_contradicted(
    answers: dict[_Key, _Outcome], stated: Mapping[_Key, Collection[str]], nodes: _KnownNodes
) -> None:
    """Undo links of names with a UMLS concept to nodes that have only other concepts.

    A node without a concept takes that of the first name linked with it: by reliability, then
    by the alphabet, whatever the order of sources.
    """
    concepts = dict(nodes.concepts)
    linked = [key for key in stated if key in answers and answers[key].outcome == "linked"]
    for key in sorted(linked, key=lambda k: (answers[k].rank, k)):
        answer, cuis = answers[key], frozenset(stated[key])
        node = answer.id or ""
        # an id minted from this very name is kept, whichever sources have the name
        if not cuis <= concepts.get(node, cuis) and node != mint(*key):
            answers[key] = answer._replace(outcome="contradicted", method=None)
        else:
            concepts[node] = concepts.get(node, frozenset()) | cuis
    # all spellings of a name have one id, so a link refused to one is refused to all
    refused = {
        (kind, normalise(name))
        for (kind, name), answer in answers.items()
        if answer.outcome == "contradicted"
    }
    for key, answer in answers.items():
        is_refused = (key[0], normalise(key[1])) in refused and answer.id != mint(*key)
        if answer.outcome == "linked" and is_refused:
            answers[key] = answer._replace(outcome="contradicted", method=None)


def resolved(linker: "Linker", kind: str, name: str) -> "Mention":
    """Resolve a whole name, more strictly than for a reader: the link goes into the graph.

    Similarity alone does not link, nor does a name with another sign (Rh -, Rh). A misspelling is
    linked only if it is certainly a slip: aphagia and aphasia are one letter apart, too.

    Args:
        linker: with the names of one type.
        kind: that type.
        name: as a source writes it.
    """
    mention = linker.resolve(name)
    if mention.linked and signs(name) != signs(mention.candidates[0].matched):
        return replace(mention, linked=False, method="similarity")
    if not mention.linked or mention.method in ("exact", "abbreviation"):
        return mention
    from kg.linking.slips import is_slip  # noqa: PLC0415 -- a build without text needs none

    matched = mention.candidates[0].matched
    is_certain = mention.method != "similarity" and is_slip(name, matched, coined=kind in _COINED)
    return replace(mention, linked=is_certain)


def _answer(mention: "Mention") -> _Outcome:
    if not mention.candidates:
        return _Outcome("unknown")
    best = mention.candidates[0]
    if mention.linked:
        return _Outcome("linked", mention.method, best.id, best.matched, best.score)
    by_name = mention.method in ("exact", "abbreviation")
    return _Outcome("ambiguous" if by_name else "unsure", None, best.id, best.matched, best.score)


def _linked(workspace: Workspace, free: ir.Table, answers: Mapping[_Key, _Outcome]) -> ir.Table:
    """The text-born ends, with the ids that their names are linked with.

    A contradicted name is only a synonym of the node minted from it: as a preferred name it
    would merge the two nodes.
    """
    rows = [
        (*key, a.id if a.outcome == "linked" else None, a.method == "exact")
        for key, a in answers.items()
        if a.outcome in ("linked", "contradicted")
    ]
    columns = zip(*rows, strict=True) if rows else ([],) * 4
    fields = [
        ("type", pa.string()),
        ("key", pa.string()),
        ("to", pa.string()),
        ("exact", pa.bool_()),
    ]
    table = pa.table(
        [*map(pa.array, columns, (arrow_type for _, arrow_type in fields))], pa.schema(fields)
    )
    links = workspace.keep("links", ibis.memtable(table))
    t = free.left_join(links, ["type", "key"])
    is_typo = t.to.notnull() & ~t.exact & (t.name == t.key)
    t = t.mutate(
        id=t.to,
        name=ibis.ifelse(is_typo, ibis.null(str), t.name),
        rank=ibis.ifelse(t.exact.notnull(), ibis.literal(SYNONYM, "int8"), t["rank"]),
    )
    return t.select(*free.columns)
