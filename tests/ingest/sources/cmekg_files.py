"""Files of CMeKG's triples, and the edges that were read from one."""

import json
from pathlib import Path
from typing import Any

from ingest.sources import CMeKgSource
from tests.ingest.sources.conftest import Left


def csv_of(folder: Path, *rows: str, header: str = "head,relation,tail") -> CMeKgSource:
    path = folder / "cmekg.csv"
    path.write_text("\n".join(filter(None, [header, *rows])) + "\n", encoding="utf-8")
    return CMeKgSource(kind="cmekg", file=path)


def json_of(folder: Path, value: object) -> CMeKgSource:
    path = folder / "cmekg.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return CMeKgSource(kind="cmekg", file=path)


def edges(left: Left) -> list[tuple[Any, ...]]:
    names = ("head_type", "head_name", "relation", "tail_type", "tail_name")
    found = [a for a in left.assertions if a["tail_type"]]
    return [tuple(a[name] for name in names) for a in found]
