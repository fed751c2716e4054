"""MedMentions (PubTator): abstracts with their mentions' UMLS concepts."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.experiments.linking.experiment import Experiment, Line
from tests.experiments.linking.vocabularies import hpo, mondo, names_table


def med_mentions(data: Path, seed: int) -> Iterator[Experiment]:
    """Recognition and linking in the sample's abstracts, against MONDO and HPO.

    Marked mentions whose CUI the table lacks (genes, studies, places) are not among the
    gold, and what is found of other things there counts against precision.
    """
    del seed
    entities = [*mondo(data), *hpo(data)]
    known = {cui: e.type for e in entities for cui in e.cuis}
    texts, mentions = read_pubtator(data / "umls_samples" / "med_mentions.txt")
    lines: list[Line] = []
    lost = 0
    for paper, text in texts.items():
        marked = [m for m in mentions[paper] if m["cui"] in known]
        lost += len(mentions[paper]) - len(marked)
        lines.append({"text": text, "mentions": [_gold(m, known) for m in marked]})
    yield Experiment(
        "MedMentions sample",
        names_table(entities),
        {"abstracts": lines},
        (f"{len(texts)} abstracts; {lost} marked mentions are of CUIs that the table lacks",),
    )


def read_pubtator(path: Path) -> tuple[dict[str, str], dict[str, list[dict[str, Any]]]]:
    """Texts (title, a line break, abstract) and mentions by paper."""
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    mentions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        if part := re.match(r"(\d+)\|([ta])\|(.*)", line):
            parts[part[1]][part[2]] = part[3]
        elif line.strip():
            paper, start, end, text, _, cui = line.split("\t")
            span = {"start": int(start), "end": int(end), "text": text}
            mentions[paper].append(span | {"cui": cui.removeprefix("UMLS:")})
    return {paper: f"{part['t']}\n{part['a']}" for paper, part in parts.items()}, mentions


def _gold(mention: dict[str, Any], known: dict[str, str]) -> Line:
    span = {key: mention[key] for key in ("start", "end", "text")}
    return span | {"ids": [mention["cui"]], "type": known[mention["cui"]]}
