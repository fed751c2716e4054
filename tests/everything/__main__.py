"""Prints docs/everything.md of a build: ``python -m tests.everything HOME > docs/everything.md``."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import yaml

from ingest.report import BuildReport, read_report

_HEAD: Final = """\
# The graph of everything

All public data that medkg is tested on, as one graph. It is not part of the repository;
where it lies beside it, these two commands make the graph and this page:

```
medkg build tests/everything/everything.yaml
python -m tests.everything .medkg > docs/everything.md
```

{nodes:,} nodes, {edges:,} edges, {sources} sources. Every row that was read gave an
assertion or stands in quarantine; every assertion is loaded, merged with one that says the
same, or in quarantine. {shared_nodes:,} nodes and {shared_edges:,} edges have several sources.
"""
_REASONS: Final = 40


def main(home: Path) -> None:
    """Print the page."""
    sys.stdout.write(page(read_report(home), _judged()))


def page(report: BuildReport, judged: Iterable[Sequence[object]]) -> str:
    """The accounts of a build in Markdown.

    Args:
        report: of the build.
        judged: rule, drawn, right, doubtful and wrong of merges that were read.
    """
    head = _HEAD.format(
        nodes=sum(report.nodes.values()),
        edges=sum(report.edges.values()),
        sources=len(report.sources),
        shared_nodes=report.shared_nodes,
        shared_edges=report.shared_edges,
    )
    reasons = [(r.source, r.stage, r.reason, r.count) for r in report.reasons[:_REASONS]]
    rest = sum(r.count for r in report.reasons[_REASONS:])
    parts = (
        ("Sources", ("source", "kind", "rows", "assertions", "loaded", "merged", "in quarantine"), [
            (s.name, s.kind, s.rows, s.assertions, s.loaded, s.merged, s.quarantined)
            for s in report.sources
        ]),
        ("Nodes", ("type", "nodes"), _most_first(report.nodes)),
        ("Edges", ("relation", "edges"), _most_first(report.edges)),
        ("Merged ids and names", ("rule", "outcome", "number"), [
            (d.rule, f"refused: {d.refused}" if d.refused else "merged", d.count)
            for d in report.decisions
        ]),
        ("Merges read by hand", ("rule", "drawn", "right", "doubtful", "wrong"), judged),
        ("The disease-centred view beside MedKGEval's Table 1",
         ("category", "facts", "different things", "in the paper"),
         [(v.category, v.facts, v.things, v.paper) for v in report.disease_view]),
        ("Consistency rules (rules.md)", ("rule", "severity", "edges"), [
            (r.rule, r.severity, r.found) for r in report.check.rules
        ] if report.check else []),
        (f"In quarantine: the {_REASONS} most frequent reasons, and {rest:,} for others",
         ("source", "stage", "reason", "count"), reasons),
    )  # fmt: skip
    return head + "".join(_chapter(*part) for part in parts)


def _judged() -> list[tuple[object, ...]]:
    text = Path(__file__).with_name("judged.yaml").read_text(encoding="utf-8")
    return [tuple(row.values()) for row in yaml.safe_load(text)]


def _chapter(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *([_cell(cell) for cell in row] for row in rows)]
    return f"\n## {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else str(value).replace("|", "\\|")


def _most_first(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
