"""Denials as medkg, medspaCy's ConText and negspaCy see them, on mentions that were read by hand.

medspaCy asks for an older spaCy than medkg's extra ``link``, so this runs in an environment of
its own, which needs ``pip install medspacy "numpy<2"`` and ``pip install --no-deps negspacy``:

    python -m tests.experiments.linking.polarity MENTIONS.jsonl

A line is ``{"text": …, "spans": [[start, end, "absent" or another polarity], …]}``, in English.
"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kg.text.context import contexts

Denied = Callable[[str, Sequence[tuple[int, int]]], list[bool]]
"""Which stretches of a text it denies."""


def medkg(text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """As medkg says."""
    return [context.negated for context in contexts(text, spans)]


def of_pipe(module: str, pipe: str, attribute: str, config: dict[str, object]) -> Denied:
    """As a component of a spaCy pipeline says, each mention being given to it alone.

    Raises:
        ImportError: the component's package is not installed.
    """
    import_module(module)
    nlp = import_module("spacy").blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe(pipe, config=config)

    def denied(text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
        read = nlp.get_pipe("sentencizer")(nlp.make_doc(text))
        return [_denied(nlp.get_pipe(pipe), read, span, attribute) for span in spans]

    return denied


def _denied(component: Any, doc: Any, span: tuple[int, int], attribute: str) -> bool:  # noqa: ANN401 -- spaCy's, which is not installed here
    doc.set_ents([doc.char_span(*span, label="X", alignment_mode="expand")])
    return bool(getattr(component(doc).ents[0]._, attribute))


def compare(lines: Iterable[str], linkers: dict[str, Denied]) -> list[str]:
    """Rows of a table: precision and recall of denials, mentions right, right where they differ."""
    found: dict[str, list[bool]] = {name: [] for name in linkers}
    wanted: list[bool] = []
    for record in map(json.loads, lines):
        spans = [(start, end) for start, end, _ in record["spans"]]
        wanted += [polarity == "absent" for *_, polarity in record["spans"]]
        for name, denied in linkers.items():
            found[name] += denied(record["text"], spans)
    differ = [len({each[at] for each in found.values()}) > 1 for at in range(len(wanted))]
    rows = ["| linker | precision | recall | right | right where they differ |"]
    rows.append("| --- | --: | --: | --: | --: |")
    for name, said in found.items():
        pairs = list(zip(said, wanted, strict=True))
        both = sum(a and b for a, b in pairs)
        right = [a == b for a, b in pairs]
        where = sum(r for r, d in zip(right, differ, strict=True) if d)
        rows.append(
            f"| {name} | {both}/{sum(said)} | {both}/{sum(wanted)} | {sum(right)}/{len(right)} "
            f"| {where}/{sum(differ)} |"
        )
    return rows


def main() -> None:
    """Print the table for a file of mentions."""
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    rivals = {
        "medkg": medkg,
        "medspaCy ConText": of_pipe("medspacy.context", "medspacy_context", "is_negated", {}),
        "negspaCy": of_pipe("negspacy.negation", "negex", "negex", {"chunk_prefix": []}),
    }
    sys.stdout.write("\n".join(compare(lines, rivals)) + "\n")


if __name__ == "__main__":
    main()
