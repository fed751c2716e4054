"""Candidates that a sequence-to-sequence model writes: BART of ELI5 or LFQA, or T5."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from qa.generation.candidates import (
    LEAST_WORDS,
    MOST_WORDS,
    Candidate,
    Context,
    Documents,
    candidate_of_text,
)
from qa.index.records import Hit
from qa.metrics.readability import words
from qa.models import load_model

if TYPE_CHECKING:
    from torch import Tensor

TEMPERATURE: Final = 0.7
BEAMS: Final = 4
"""The paper's table D1; the lengths there are in ``qa.generation.candidates``."""
_MOST_TOKENS_A_WORD: Final = 4
_USUAL_POSITIONS: Final = 1_024


class Seq2Seq:
    """A model by name or path, decoded as the paper does (appendix D2).

    Table D1 gives lengths of 40 to 150, in the words of section 3.3.4; models count tokens. So no
    answer may end before its 40th word, and every one ends with its 150th. Threads may share it and
    take turns: PyTorch has one row of random numbers for all.
    """

    def __init__(self, model: str, *, seed: int = 0) -> None:
        """Load a model.

        Args:
            model: ``eli5``, ``lfqa``, a path, or the name of a model on this machine.
            seed: of the sampling; the same gives the same answers.

        Raises:
            ModelError: it is not on this machine, or is no such model.
        """
        loaded = load_model(model, "to write answers", "AutoModelForSeq2SeqLM")
        _, self._tokenizer, self._model, self._device = loaded
        self._seed = seed
        self._lock = threading.Lock()
        positions = getattr(self._model.config, "max_position_embeddings", _USUAL_POSITIONS)
        self._positions = int(positions)

    def candidates(
        self, question: str, hits: Sequence[Hit], documents: Documents
    ) -> list[Candidate]:
        """One candidate for each hit from which the model wrote a whole sentence."""
        candidates = []
        for hit in hits:
            context = Context.of(hit, documents)
            with self._lock:
                text = self._generated(question, context.text)
            candidate = candidate_of_text(text, hit, context)
            if candidate is not None:
                candidates.append(candidate)
        return candidates

    def _generated(self, question: str, passage: str) -> str:
        """What the model writes for ``question: Q context: <P> C``, as both BARTs were trained."""
        import torch  # noqa: PLC0415

        encoded = self._tokenizer(
            f"question: {question} context: <P> {passage}",
            truncation=True,
            max_length=self._positions,
            return_tensors="pt",
        ).to(self._device)
        with torch.random.fork_rng():
            torch.manual_seed(self._seed)
            ids = self._model.generate(
                input_ids=encoded["input_ids"],
                attention_mask=encoded["attention_mask"],
                do_sample=True,  # else the temperature counts for nothing
                temperature=TEMPERATURE,
                num_beams=BEAMS,
                min_length=0,
                max_length=None,
                max_new_tokens=min(MOST_WORDS * _MOST_TOKENS_A_WORD, self._positions - 2),
                logits_processor=[self._lengths()],
            )
        return str(self._tokenizer.decode(ids[0], skip_special_tokens=True)).strip()

    def _lengths(self) -> Any:  # noqa: ANN401 - a class that is made once torch is imported
        """A processor of generate() that lets no answer end too early or too late."""
        import torch  # noqa: PLC0415
        from transformers import LogitsProcessor  # noqa: PLC0415

        decode, end_id = self._tokenizer.batch_decode, self._model.generation_config.eos_token_id
        end_ids = torch.tensor(
            end_id if isinstance(end_id, list) else [end_id], device=self._device
        )

        class WordLengths(LogitsProcessor):  # type: ignore[misc]  # of a library without types
            def __call__(self, input_ids: "Tensor", scores: "Tensor") -> "Tensor":
                texts = decode(input_ids, skip_special_tokens=True)
                sizes = torch.tensor([len(words(text)) for text in texts], device=scores.device)
                barred = torch.zeros_like(scores, dtype=torch.bool)
                barred[:, end_ids] = (sizes < LEAST_WORDS).unsqueeze(1)
                is_no_end = torch.ones_like(scores[0], dtype=torch.bool)
                is_no_end[end_ids] = False
                barred |= (sizes >= MOST_WORDS).unsqueeze(1) & is_no_end
                return scores.masked_fill(barred, -torch.inf)

        return WordLengths()
