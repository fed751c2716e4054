"""Makes pairs of documents: by a query generator, or by templates."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import numpy as np
from pydantic import BaseModel, Field

from kg.errors import RetrievalError
from kg.progress import Progress, Silent
from kg.text import normalise
from qa.corpus import UNKNOWN_LICENCE, Document, passages
from qa.finetuning.genq import QueryGenerator, Sampling, generate
from qa.finetuning.pairs import Pair, deduplicated, write_pairs
from qa.finetuning.templates import Templates

TEMPLATE: Final = "template"
"""Origin of a pair whose question was made by a template."""
SHORTEST: Final = 40
"""Characters of a text that is a paragraph; shorter ones ("2-4 weeks") are values of a table."""


class Making(BaseModel, frozen=True, extra="forbid"):
    """How pairs are made."""

    each: Annotated[int, Field(gt=0)] = 5
    """Questions of a passage; the joint-reasoning paper's 7,000 paragraphs gave 31,000 pairs."""
    limit: Annotated[int, Field(gt=0)] | None = None
    """Passages at most, drawn by the seed."""
    seed: int = 0
    generator: str | None = None
    """A query generator by name or path; None: templates."""
    device: str | None = None
    """Of PyTorch."""


class PairCounts(BaseModel, frozen=True, extra="forbid"):
    """How many pairs there are, and of what."""

    pairs: int
    passages: int
    """With a question."""
    unasked: int
    """Sections without one."""
    short: int
    """Texts of fewer than ``SHORTEST`` characters, which are left out."""
    diseases: int
    origins: dict[str, int]


def make_pairs(
    documents: Iterable[Document],
    making: Making,
    out: Path,
    index: str = "",
    progress: Progress | None = None,
) -> PairCounts:
    """Make pairs of documents and write them.

    Documents with the same title are about one disease, also where only one states its id. A
    generator is asked about every passage. A template asks about a whole section: its pair has
    the section's first passage, before which stands the title as an index has it.

    Args:
        documents: such as those of an index.
        making: how.
        out: the file; beside it, ``NAME.partial`` keeps what a generator has written meanwhile.
        index: checksum of the index that the documents are of.
        progress: shown meanwhile.

    Raises:
        ModelError: the query generator is not on this machine, or the file beside ``out`` holds
            another one's work.
        RetrievalError: no pair can be made.
        StoreError: a file cannot be written.
    """
    progress = progress or Silent()
    generator = QueryGenerator.load(making.generator, making.device) if making.generator else None
    templates = Templates.of_package()
    drafts: list[tuple[Pair, tuple[str, ...]]] = []
    unasked = too_short = 0
    licences: dict[str, str] = {}
    all_documents = list(documents)
    disease_ids = {
        normalise(d.title): d.metadata["disease"] for d in all_documents if "disease" in d.metadata
    }
    for document in all_documents:
        if len(document.text) < SHORTEST:
            too_short += 1
            continue
        licences[document.source] = document.metadata.get("licence", UNKNOWN_LICENCE)
        cut_passages = passages(document)
        title = document.title
        disease = document.metadata.get("disease") or disease_ids.get(normalise(title), title)
        for passage in cut_passages if generator else cut_passages[:1]:
            draft = Pair(question="?", passage=f"{title}\n{passage.text}", disease=disease)
            questions = () if generator else _questions(templates, document, making)
            if generator or questions:
                drafts.append((draft, questions))
            else:
                unasked += 1
    if making.limit is not None and len(drafts) > making.limit:
        drawn = np.random.default_rng(making.seed).permutation(len(drafts))[: making.limit]
        drafts = [drafts[row] for row in sorted(drawn.tolist())]
    if generator is not None and making.generator is not None:
        sampling = Sampling(each=making.each, seed=making.seed)
        pairs = generate(
            generator,
            [draft for draft, _ in drafts],
            making.generator,
            sampling,
            out.with_name(f"{out.name}.partial"),
            progress=progress,
        )
    else:
        pairs = [
            draft.model_copy(update={"question": question, "origin": TEMPLATE})
            for draft, questions in drafts
            for question in questions
        ]
    pairs = deduplicated(pairs)
    if not pairs:
        raise RetrievalError(
            f"no question can be made of {unasked + too_short} texts; give an index with sections whose "
            "headings say what they are about, or a query generator with --generator"
        )
    counts = PairCounts(
        pairs=len(pairs),
        passages=len({pair.passage for pair in pairs}),
        unasked=unasked,
        short=too_short,
        diseases=len({pair.group for pair in pairs}),
        origins=dict(Counter(pair.origin for pair in pairs)),
    )
    about = {
        "index": index,
        "making": making.model_dump(),
        "licences": dict(sorted(licences.items())),
    }
    write_pairs(out, pairs, about)
    if generator is not None:
        out.with_name(f"{out.name}.partial").unlink(missing_ok=True)
    return counts


def _questions(templates: Templates, document: Document, making: Making) -> tuple[str, ...]:
    """The questions for the source's own word for what is said, or else for the heading."""
    title = document.title
    heading = document.metadata.get("heading", "")
    last_heading = heading.removeprefix(f"{title}: ").rpartition(": ")[2]
    seed = (making.seed, int.from_bytes(document.id.encode()[-8:], "big"))
    questions_by_word = (
        templates.ask(title, word, document.language, making.each, seed)
        for word in (document.metadata.get("category", ""), last_heading)
    )
    return next(filter(None, questions_by_word), ())
