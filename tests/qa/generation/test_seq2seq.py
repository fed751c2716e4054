"""Candidates of BART and T5, loaded as any such model is."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from torch import Tensor

from kg.errors import ModelError
from qa.generation.seq2seq import Seq2Seq
from qa.metrics.readability import words
from tests.qa.passages import document, hit, library
from tests.qa.tiny_models import save_bart, save_classifier, save_t5

GOUT = document("gout brings pain in the joint. it hurts at night.")


class _Watched:
    """A model whose calls of generate() and what came of them are kept."""

    def __init__(self, generator: Seq2Seq, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: list[dict[str, object]] = []
        self.read: list[str] = []
        self.texts: list[str] = []
        original = generator._model.generate

        def generate(**given: object) -> object:
            ids = original(**given)
            self.given.append(given)
            decode = generator._tokenizer.decode
            self.read.append(decode(cast("Tensor", given["input_ids"])[0]))
            self.texts.append(decode(ids[0], skip_special_tokens=True))
            return ids

        monkeypatch.setattr(generator._model, "generate", generate)


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bart(tmp_path_factory.mktemp("bart"))


@pytest.mark.parametrize("save", [save_bart, save_t5])
def test_papers_decoding_reaches_generate(
    save: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = Seq2Seq(str(save(tmp_path)))
    watched = _Watched(generator, monkeypatch)
    (made,) = generator.candidates("is it gout ?", [hit(GOUT)], library(GOUT))
    decoding = ("num_beams", "do_sample", "temperature", "max_new_tokens")
    assert [watched.given[0][each] for each in decoding] == [4, True, 0.7, 600]
    assert watched.read[0].startswith("<s> question : <unk> it gout ? context :")
    assert 40 <= len(words(watched.texts[0])) <= 150
    assert made.text == watched.texts[0][: len(made.text)]
    assert made.text.endswith((".", "?"))


def test_answer_that_would_never_end_ends_with_its_150th_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = Seq2Seq(str(save_bart(tmp_path, endless=True)))
    watched = _Watched(generator, monkeypatch)
    (made,) = generator.candidates("gout ?", [hit(GOUT)], library(GOUT))
    assert len(words(watched.texts[0])) == 150
    assert len(words(made.text)) <= 150


def test_same_seed_gives_the_same_answer_and_another_seed_another(bart: Path) -> None:
    answers = [
        [
            each.text
            for each in Seq2Seq(str(bart), seed=seed).candidates(
                "gout ?", [hit(GOUT)], library(GOUT)
            )
        ]
        for seed in (1, 1, 2)
    ]
    assert answers[0] == answers[1] != answers[2]


def test_what_a_model_wrote_rests_on_no_passage(bart: Path) -> None:
    (made,) = Seq2Seq(str(bart)).candidates("gout ?", [hit(GOUT)], library(GOUT))
    assert {each.document for each in made.sentences} == {None}


def test_missing_model_is_named_with_what_to_do() -> None:
    with pytest.raises(ModelError) as error:
        Seq2Seq("lfqa")
    assert str(error.value) == (
        "'vblagoje/bart_lfqa', the model to write answers, is not on this machine; download it "
        "where there is a network ('hf download vblagoje/bart_lfqa'), or give the path of a folder "
        "with its config.json"
    )


def test_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path, ["yes", "no"])
    with pytest.raises(
        ModelError,
        match=r"the model to write answers with AutoModelForSeq2SeqLM .*; name a model of that kind",
    ):
        Seq2Seq(str(folder))


def test_threads_that_share_a_model_get_what_one_alone_gets(bart: Path) -> None:
    generator = Seq2Seq(str(bart))

    def answer(question: str) -> list[str]:
        return [each.text for each in generator.candidates(question, [hit(GOUT)], library(GOUT))]

    questions = ["gout ?", "is it gout ?"] * 2
    alone = [answer(question) for question in questions]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(answer, questions)) == alone
