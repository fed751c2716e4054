from pathlib import Path

import pytest

from qa.index.tokens import Tokenizer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("What are the symptoms of type 1 diabetes?", ["symptom", "type", "1", "diabete"]),
        ("CD4+ cells; HLA-B27, 1.5 mg", ["cd4", "+", "cell", "hla", "b27", "1.5", "mg"]),
        ("Alzheimer's disease, allergies, bias, illness", ["alzheimer", "disease", "allergy", "bia", "illness"]),
        ("no fever, not contagious", ["no", "fever", "not", "contagious"]),
        ("鼻咽癌有什么症状？", ["鼻咽", "鼻咽癌", "症状"]),
        ("鼻咽癌の症状 of EBV", ["鼻咽", "鼻咽癌", "の", "症状", "ebv"]),
        ("2型糖尿病", ["2", "型", "糖尿", "糖尿病"]),
        ("\uff26\uff45\uff56\uff45\uff52 \uff11", ["fever", "1"]),
        ("", []),
        ("the of 的 ？!", []),
    ],
)  # fmt: skip
def test_tokens_keep_numbers_and_signs_and_leave_function_words_out(
    text: str, tokens: list[str]
) -> None:
    assert Tokenizer()(text) == tokens


def test_traditional_characters_are_the_simplified_ones() -> None:
    assert Tokenizer()("痛風的治療") == Tokenizer()("痛风的治疗") == ["痛风", "治疗"]


def test_names_of_the_graph_are_one_word_and_found_by_their_parts_too(tmp_path: Path) -> None:
    assert "青霉素脑病" not in Tokenizer()("青霉素脑病")
    tokenizer = Tokenizer(["青霉素脑病（PE）", "gout", "癌"])
    assert tokenizer.names == ("青霉素脑病",)
    assert {"青霉素", "脑病", "青霉素脑病"} <= {*tokenizer("青霉素脑病")}
    tokenizer.write(tmp_path / "names.txt")
    read = Tokenizer.read(tmp_path / "names.txt")
    assert read.names == tokenizer.names
    assert read.id == tokenizer.id != Tokenizer().id


@pytest.mark.parametrize(
    "text", ["\x00\ud800", "a" * 100_000, "痛" * 50_000, "🤒" * 1000, "'; DROP TABLE x; --"]
)
def test_any_text_has_tokens_or_none(text: str) -> None:
    assert all(Tokenizer()(text))
