"""Draws joins by a known name, to be read one by one.

``python -m tests.experiments.bridges.joins HOME --draw 300 --seed 17`` prints a seeded draw of the
ids that a build joined because of a name (rule 6 of ``ingest.joining``), with all that is needed
to judge each. ``joins.tsv`` has the draw as it was read; ``--figures`` prints the precision of
each rule by it, with Wilson's interval of 95 %.
"""

import argparse
import csv
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, get_args

import duckdb

from ingest.identity import mint
from ingest.names import KnownBy
from kg.linking.measures import Share

READ: Final = Path(__file__).with_name("joins.tsv")
RULES: Final = get_args(KnownBy)
AT_LEAST: Final = 30
"""Of each rule, where it has so many."""

_NAMES: Final = ("HAS_BRIDGED_NAME", "HAS_NAME", "HAS_SYNONYM", "HAS_LAY_SYNONYM")
_FACTS: Final = 3
_COLUMNS: Final = (
    *("rule", "id", "called", "joined by", "facts"),
    *("node", "type", "node_name", "name_zh", "definition"),
)


class Join(NamedTuple):
    """An id that is part of another's node because of a name."""

    id: str
    node: str
    rule: str
    evidence: str
    sources: tuple[str, ...]


def joins(home: Path) -> list[Join]:
    """All joins by a known name, ordered by id.

    Args:
        home: where the graph was built.
    """
    rows = duckdb.execute(
        "SELECT id, node, rule, evidence, sources FROM read_parquet(?)"
        " WHERE name IS NULL AND list_contains(?, rule) ORDER BY id",
        [str(home / "merges.parquet"), list(RULES)],
    ).fetchall()
    return [Join(id_, node, rule, said, tuple(by)) for id_, node, rule, said, by in rows]


def draw(found: Sequence[Join], number: int, seed: int) -> list[Join]:
    """So many joins, of each rule in proportion but at least 30 of those that have them."""
    by_rule: dict[str, list[Join]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    shares = _shares({rule: len(of_rule) for rule, of_rule in by_rule.items()}, number)
    chance = random.Random(seed)  # noqa: S311  (a draw, not a secret)
    drawn = {rule: chance.sample(by_rule[rule], shares[rule]) for rule in RULES if rule in by_rule}
    return [each for rule in drawn for each in sorted(drawn[rule])]


def _shares(sizes: Mapping[str, int], number: int) -> dict[str, int]:
    """How many of each rule; the small ones first, the others share what is left."""
    shares: dict[str, int] = {}
    left = number
    rest = sum(sizes.values())
    for rule in sorted(sizes, key=lambda each: (sizes[each], each)):
        fair = max(round(left * sizes[rule] / rest), AT_LEAST)
        shares[rule] = min(fair, sizes[rule], left)
        left -= shares[rule]
        rest -= sizes[rule]
    return shares


def called(home: Path, ids: Iterable[str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What sources call each id, and some facts that they state of it.

    A minted id is in no assertion: it is what the type and name of an end without an id give.
    """
    wanted = {*ids}
    assertions = str(home / "assertions" / "*" / "assertions.parquet")
    with duckdb.connect() as db:
        db.execute("SET threads TO 2")
        db.execute(
            "CREATE TABLE said AS SELECT * FROM read_parquet(?, union_by_name => true)"
            " WHERE problem IS NULL",
            [assertions],
        )
        ends = db.execute(
            "SELECT DISTINCT head_type, head_name FROM said WHERE head IS NULL UNION"
            " SELECT DISTINCT tail_type, tail_name FROM said WHERE tail IS NULL"
        ).fetchall()
        minted = [
            (id_, type_, name)
            for type_, name in ends
            if type_ and name and (id_ := mint(type_, name)) in wanted
        ]
        db.execute("CREATE TABLE wanted (id VARCHAR, type VARCHAR, name VARCHAR)")
        rows = [*minted, *((id_, None, None) for id_ in wanted)]
        db.executemany("INSERT INTO wanted VALUES (?, ?, ?)", sorted(rows, key=str))
        db.execute(
            "CREATE TABLE about AS SELECT w.id AS about, s.* FROM said s JOIN wanted w"
            " ON s.head = w.id UNION ALL"
            " SELECT w.id, s.* FROM said s JOIN wanted w"
            " ON s.head IS NULL AND s.head_type = w.type AND s.head_name = w.name UNION ALL"
            " SELECT w.id, s.* FROM said s JOIN wanted w"
            " ON s.tail IS NULL AND s.tail_type = w.type AND s.tail_name = w.name"
        )
        names = db.execute(
            "SELECT DISTINCT about, value FROM about WHERE list_contains(?, relation)",
            [list(_NAMES)],
        ).fetchall()
        facts = db.execute(
            "SELECT DISTINCT about, concat(source, ': ', coalesce(head_name, head), ' ', relation,"
            " ' ', coalesce(tail_name, tail)) FROM about"
            " WHERE relation NOT LIKE 'HAS\\_%NAME' ESCAPE '\\' AND relation <> 'HAS_SECTION'"
            " AND relation NOT LIKE '%SYNONYM' AND coalesce(tail_name, tail) IS NOT NULL"
        ).fetchall()
    by_id: dict[str, list[str]] = {id_: [] for id_ in wanted}
    for id_, name in sorted({(id_, name) for id_, _, name in minted} | {*names}):
        by_id[id_].append(name)
    stated: dict[str, list[str]] = {id_: [] for id_ in wanted}
    for id_, fact in sorted(facts):
        stated[id_].append(fact)
    return by_id, stated


def write(home: Path, drawn: Sequence[Join], seed: int) -> None:
    """Print joins as a table, with what is known of both sides."""
    names, facts = called(home, (each.id for each in drawn))
    rows = duckdb.execute(
        "SELECT id, type, name, name_zh, definition FROM read_parquet(?)"
        " WHERE list_contains(?, id)",
        [str(home / "tables" / "nodes.parquet"), [each.node for each in drawn]],
    ).fetchall()
    nodes = {row[0]: [field or "" for field in row[1:]] for row in rows}
    out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    out.writerow(_COLUMNS)
    chance = random.Random(seed)  # noqa: S311
    for each in drawn:
        stated = facts[each.id]
        some = sorted(chance.sample(stated, min(_FACTS, len(stated))))
        said = " | ".join(names[each.id]), each.evidence, " | ".join(some)
        out.writerow((each.rule, each.id, *said, each.node, *nodes[each.node]))


def figures(read: Path = READ) -> str:
    """The precision of each rule by the joins that were read; a doubtful one counts as wrong.

    The first part was drawn of all joins, the second of those that were left by the conditions
    that were chosen on the first, the third of all again once those were in force. The later ones
    were drawn after further conditions each (docs/decisions.md has them).
    """
    verdicts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    with read.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            verdicts[row["part"], row["rule"]][row["verdict"]] += 1
            verdicts[row["part"], "all"][row["verdict"]] += 1
    lines = [
        "| part | rule | read | right | wrong | doubtful | precision |",
        "|---|---|---|---|---|---|---|",
    ]
    order = (*RULES, "all")
    for part, rule in sorted(verdicts, key=lambda each: (each[0], order.index(each[1]))):
        counted = verdicts[part, rule]
        share = Share(right=counted["right"], of=counted.total())
        low, high = share.interval or (0.0, 1.0)
        counts = [counted.total(), *(counted[each] for each in ("right", "wrong", "doubtful"))]
        cells = [part, rule, *map(str, counts), f"{share.value:.3f} ({low:.3f} to {high:.3f})"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print a draw, or the figures of the one that was read."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.bridges.joins", description=__doc__
    )
    parser.add_argument("home", type=Path, metavar="HOME", help="where the graph was built")
    parser.add_argument("--draw", type=int, default=300, help="how many to draw")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--rule", choices=RULES, help="draw joins by this rule only")
    parser.add_argument("--figures", action="store_true", help="by what was read; draw nothing")
    given = parser.parse_args()
    if given.figures:
        sys.stdout.write(figures() + "\n")
        return
    found = [each for each in joins(given.home) if given.rule in {None, each.rule}]
    write(given.home, draw(found, given.draw, given.seed), given.seed)


if __name__ == "__main__":
    main()
