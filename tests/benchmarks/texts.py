"""What an index of 50,000 passages takes to open, to search and to fill."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.run import Run

SHARED: Final = Path(__file__).parents[3] / "shared" / "data"
DATA: Final = SHARED / "medquad"

_RECORDS: Final = 50_000
_QUESTIONS: Final = 200
_ENCODED: Final = 400
"""Documents whose passages are encoded."""
_SEARCH: Final = 0.15
_ANSWER: Final = 0.15
_COLD: Final = 2.0


def texts(run: Run) -> Iterator[Figure]:
    """Search MedQuAD's sentences by words and by vectors, and encode passages."""
    if not DATA.is_dir():
        return
    count = round(_RECORDS * run.share)
    made = run.made("texts")
    run.once("texts", "text_work:build", data=DATA, out=made, count=count)
    asked = run.once("text-questions", "text_work:questions", data=DATA, count=_QUESTIONS).answer
    words = run.once("ask-words", "text_work:ask", index=made, questions=asked, mode="bm25")
    rival = run.once(
        "ask-bm25s",
        "text_work:ask_bm25s",
        data=DATA,
        out=run.made("ask-bm25s"),
        questions=asked,
        count=count,
    )
    name = f"index of {count:,} sentences"
    for what, unit, ours, theirs, target in (
        ("opening", Unit.MILLISECONDS, words.answer["open"], rival.answer["open"], 1.0),
        ("search by words, p50", Unit.MILLISECONDS, words.answer["search"], rival.answer["search"], _SEARCH),
        ("memory to search by words", Unit.GIGABYTES, words.peak, None, None),
    ):  # fmt: skip
        yield Figure.of(
            f"{name}, {what}",
            unit,
            ours,
            rival="bm25s, same tokens",
            theirs=theirs,
            load=words.load,
            target=target,
        )
    cold = run.once("ask-cold", "text_work:ask", index=made, questions=asked[:1], mode="bm25")
    yield Figure.of(
        f"{name}, first answer by words, from the start of Python",
        Unit.SECONDS,
        cold.seconds,
        rival="none",
        theirs=None,
        load=cold.load,
        target=_COLD,
    )
    yield from _answers(run, made, asked)
    plain = run.once("ask-semantic", "text_work:ask_semantic_search", index=made, questions=asked)
    for mode in ("vector", "hybrid"):
        ours = run.once(f"ask-{mode}", "text_work:ask", index=made, questions=asked, mode=mode)
        yield Figure.of(
            f"{name}, search {'by vectors' if mode == 'vector' else 'by both'}, p50",
            Unit.MILLISECONDS,
            ours.answer["search"],
            rival="semantic_search of sentence-transformers",
            theirs=plain.answer["search"],
            load=ours.load,
            target=_SEARCH,
        )
    ours = run.once(
        "encode", "text_work:encode", data=DATA, out=run.made("encode"), count=_ENCODED
    )
    theirs = run.once("encode-plainly", "text_work:encode_plainly", data=DATA, count=_ENCODED)
    yield Figure.of(
        "passages encoded with all-MiniLM-L6-v2",
        Unit.PER_SECOND,
        ours.answer,
        rival="encode of sentence-transformers",
        theirs=theirs.answer,
        load=ours.load,
    )


def _answers(run: Run, index: Path, asked: list[str]) -> Iterator[Figure]:
    """Whole answers, with the facts of a graph of 60,000 nodes beside the quoted text."""
    home = run.made("answered")
    run.once("answered", "text_work:graph", shared=SHARED, out=home)
    ours = run.once("answers", "text_work:answer", home=home, index=index, questions=asked)
    share = ours.answer["quoted"] / len(asked)
    medkg = Path(sys.executable).with_name("medkg")
    question = "What are the treatments for gout?"
    cold = run.starts("ask-once", [medkg, "ask", question, "--texts", index], home)
    for what, unit, seconds, load, target in (
        (f"an answer, p50; {share:.0%} quote a text", Unit.MILLISECONDS, ours.answer["answer"], ours.load, _ANSWER),
        ("'medkg ask' from start to end", Unit.SECONDS, cold.seconds, cold.load, _COLD),
    ):  # fmt: skip
        yield Figure.of(
            f"MedQuAD's questions, {what}",
            unit,
            seconds,
            rival="none",
            theirs=None,
            load=load,
            target=target,
        )
    yield Figure.of(
        "MedQuAD's questions, memory to answer",
        Unit.GIGABYTES,
        ours.peak,
        rival="none",
        theirs=None,
        load=ours.load,
    )
