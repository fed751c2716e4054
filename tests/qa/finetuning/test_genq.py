import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from kg.errors import ModelError
from qa.finetuning.genq import QueryGenerator, Sampling, generate
from qa.finetuning.pairs import Pair

SAMPLING = Sampling(each=3, batch=2, question_tokens=6, seed=5)
PASSAGES = [
    Pair(question="?", passage=text, disease=text[-4:])
    for text in ("uric acid crystals", "airways narrow", "lack of vitamin d", "lack", "joints")
]


@pytest.fixture(scope="module")
def generator(generator_folder: Path) -> QueryGenerator:
    return QueryGenerator.load(str(generator_folder), "cpu")


def test_settings_reach_generate(
    generator: QueryGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, object] = {}
    real = generator._model.generate

    def spy(**settings: object) -> object:
        given.update(settings)
        return real(**settings)

    monkeypatch.setattr(generator._model, "generate", spy)
    sampling = Sampling(each=2, top_k=7, top_p=0.5, temperature=0.9, question_tokens=4)
    found = generator.ask(["uric acid", "lack of vitamin c"], sampling, 0)
    assert {k: v for k, v in given.items() if k not in ("input_ids", "attention_mask")} == {
        "do_sample": True,
        "top_k": 7,
        "top_p": 0.5,
        "temperature": 0.9,
        "max_new_tokens": 4,
        "num_return_sequences": 2,
    }
    assert len(found) == 2
    assert all(len(questions) <= 2 for questions in found)


def test_questions_are_those_of_their_passage_and_the_same_for_a_seed(
    generator: QueryGenerator, tmp_path: Path
) -> None:
    first = generate(generator, PASSAGES, "t5", SAMPLING, tmp_path / "a")
    again = generate(generator, PASSAGES, "t5", SAMPLING, tmp_path / "b")
    other = SAMPLING.model_copy(update={"seed": 6})
    assert first == again
    assert first != generate(generator, PASSAGES, "t5", other, tmp_path / "c")
    by_passage = {pair.passage: pair.disease for pair in PASSAGES}
    assert {(p.passage, p.disease) for p in first} <= set(by_passage.items())
    assert {p.origin for p in first} == {"t5"}
    assert all(p.question.strip() == p.question for p in first)


class Stops:
    """A generator that ends the process at a batch."""

    def __init__(self, real: QueryGenerator, at: int) -> None:
        self._real, self._at = real, at
        self.asked: list[int] = []

    def ask(self, passages: Sequence[str], sampling: Sampling, batch: int) -> list[list[str]]:
        if batch == self._at:
            raise KeyboardInterrupt
        self.asked.append(batch)
        return self._real.ask(passages, sampling, batch)


@pytest.mark.parametrize("torn", [b"", b'[["wh'])
def test_stopped_generator_goes_on_where_it_was(
    generator: QueryGenerator, tmp_path: Path, torn: bytes
) -> None:
    expected = generate(generator, PASSAGES, "t5", SAMPLING, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        generate(Stops(generator, 1), PASSAGES, "t5", SAMPLING, tmp_path / "cut")  # type: ignore[arg-type]  # a stand-in
    with (tmp_path / "cut").open("ab") as file:
        file.write(torn)
    rest = Stops(generator, 99)
    assert generate(rest, PASSAGES, "t5", SAMPLING, tmp_path / "cut") == expected  # type: ignore[arg-type]  # a stand-in
    assert rest.asked == [1, 2]


def test_work_of_other_settings_is_not_gone_on_with(
    generator: QueryGenerator, tmp_path: Path
) -> None:
    generate(generator, PASSAGES, "t5", SAMPLING, tmp_path / "cut")
    message = (
        r"cut: holds questions of another generator, of other passages or settings; delete it"
    )
    with pytest.raises(ModelError, match=message):
        generate(generator, PASSAGES[:4], "t5", SAMPLING, tmp_path / "cut")


def test_missing_generator_is_told_within_a_second() -> None:
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"BeIR/none.*is not on this machine; download it"):
        QueryGenerator.load("BeIR/none")
    assert time.monotonic() - started < 1


def test_encoder_is_no_generator(encoder_folder: Path) -> None:
    with pytest.raises(
        ModelError, match=r"cannot load the model to write questions .*; name a model of that kind"
    ):
        QueryGenerator.load(str(encoder_folder))


def test_device_that_is_not_there_is_told(generator_folder: Path) -> None:
    with pytest.raises(ModelError, match=r"PyTorch has no device 'tpu9' .*; name another one"):
        QueryGenerator.load(str(generator_folder), "tpu9")
