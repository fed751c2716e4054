"""GenQ: a query generator writes questions that a passage answers.

As in Thakur et al. 2021, "BEIR" (arXiv:2104.08663, section 4, GenQ): a T5 that was trained to write
the query of a passage, sampled with top-k and nucleus sampling. So the joint-reasoning paper made
31,000 pairs of 7,000 paragraphs (section 3.3.3).
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Self

import numpy as np
from pydantic import BaseModel, Field

from kg.errors import ModelError
from kg.progress import Progress, Silent
from kg.stores.disk import disk_errors, publish
from qa.finetuning.pairs import Pair, checksum
from qa.models import load_model

_SILENT: Final = Silent()

Count = Annotated[int, Field(gt=0)]


class Sampling(BaseModel, frozen=True, extra="forbid"):
    """How questions are drawn from a query generator."""

    each: Count = 5
    """Questions of a passage."""
    top_k: Count = 25
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.95
    temperature: Annotated[float, Field(gt=0)] = 1.0
    question_tokens: Count = 64
    """A question is cut there."""
    passage_tokens: Count = 512
    """A passage is cut there; T5 was trained on no more."""
    batch: Count = 8
    """Passages at once; the questions depend on it."""
    seed: int = 0


class QueryGenerator:
    """A sequence-to-sequence model that writes a question for a passage.

    Args:
        tokenizer: of transformers.
        model: of transformers, with ``generate``.
    """

    def __init__(self, tokenizer: Any, model: Any) -> None:  # noqa: ANN401 - transformers has no types
        self._tokenizer, self._model = tokenizer, model

    @classmethod
    def load(cls, model: str, device: str | None = None) -> Self:
        """Load one from this machine.

        Args:
            model: name or path of a T5, or another sequence-to-sequence model.
            device: of PyTorch; None: CUDA if it is available.

        Raises:
            ModelError: it is not on this machine, or is no sequence-to-sequence model; there is no
                such device.
        """
        loaded = load_model(model, "to write questions", "AutoModelForSeq2SeqLM", device)
        return cls(loaded.tokenizer, loaded.model)

    def ask(self, passages: Sequence[str], sampling: Sampling, batch: int) -> list[list[str]]:
        """Questions that each passage answers, distinct and in the order of the draw.

        Args:
            passages: one batch of them.
            sampling: how to draw.
            batch: number of the batch, which with the seed decides the draw.

        Returns:
            One list a passage, of at most ``sampling.each``.
        """
        import torch  # noqa: PLC0415 - heavy

        torch.manual_seed(int(np.random.SeedSequence([sampling.seed, batch]).generate_state(1)[0]))
        encoded = self._tokenizer(
            list(passages),
            padding=True,
            truncation=True,
            max_length=sampling.passage_tokens,
            return_tensors="pt",
        ).to(self._model.device)
        with torch.inference_mode():
            outputs = self._model.generate(
                input_ids=encoded["input_ids"],
                attention_mask=encoded["attention_mask"],
                do_sample=True,
                top_k=sampling.top_k,
                top_p=sampling.top_p,
                temperature=sampling.temperature,
                max_new_tokens=sampling.question_tokens,
                num_return_sequences=sampling.each,
            )
        texts = [
            " ".join(text.split())
            for text in self._tokenizer.batch_decode(outputs, skip_special_tokens=True)
        ]
        per_passage = sampling.each
        return [
            list(dict.fromkeys(filter(None, texts[start : start + per_passage])))
            for start in range(0, len(texts), per_passage)
        ]


def generate(
    generator: QueryGenerator,
    passages: Sequence[Pair],
    name: str,
    sampling: Sampling,
    partial: Path,
    *,
    progress: Progress = _SILENT,
) -> list[Pair]:
    """Let a query generator write questions for passages, or go on where that was stopped.

    Args:
        generator: of queries.
        passages: pairs whose question is to be replaced.
        name: of the generator, which becomes the pairs' origin.
        sampling: how to draw; stopped or not, the same draw gives the same questions.
        partial: keeps what is done, a line a batch.
        progress: shown meanwhile.

    Raises:
        ModelError: the file holds the work of another generator, sampling or other passages.
        StoreError: the file cannot be written.
    """
    head = {"generator": name, **sampling.model_dump(), "passages": checksum(passages)}
    batches = _finished_batches(partial, head)
    with progress.step("Writing questions", len(passages)) as advance, disk_errors(partial):
        partial.parent.mkdir(parents=True, exist_ok=True)
        # without what a kill cut off in the middle of a line
        trimmed = partial.with_name(f".{partial.name}.whole")
        trimmed.write_text("".join(map(_line, (head, *batches))), "utf-8")
        publish(trimmed, partial)
        advance(sum(map(len, batches)))
        with partial.open("a", encoding="utf-8") as file:
            for number, start in enumerate(range(0, len(passages), sampling.batch)):
                if number < len(batches):
                    continue
                batch = [pair.passage for pair in passages[start : start + sampling.batch]]
                batches.append(generator.ask(batch, sampling, number))
                file.write(_line(batches[-1]))
                file.flush()
                advance(len(batch))
    questions: Iterator[list[str]] = (questions for batch in batches for questions in batch)
    return [
        Pair(question=question, passage=pair.passage, disease=pair.disease, origin=name)
        for pair, own_questions in zip(passages, questions, strict=True)
        for question in own_questions
    ]


def _finished_batches(partial: Path, head: dict[str, Any]) -> list[list[list[str]]]:
    """The batches that a file of an earlier run has."""
    if not partial.is_file():
        return []
    batches = []
    for line in partial.read_text("utf-8").split("\n"):
        try:
            batches.append(json.loads(line))
        except ValueError:
            break
    if batches and batches[0] != head:
        raise ModelError(
            f"{partial}: holds questions of another generator, of other passages or settings; "
            "delete it, or name another file to write to"
        )
    return batches[1:]


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
