from pathlib import Path

import pytest

from kg.errors import RetrievalError
from qa.corpus import Document
from qa.finetuning.making import Making, PairCounts, make_pairs
from qa.finetuning.pairs import Pair, read_pairs

GOUT = Document(
    "S:1",
    "gout",
    "Gout comes from crystals of uric acid in joints.",
    "sample",
    "en",
    {
        "heading": "Gout: Causes",
        "category": "section",
        "disease": "MONDO:1",
        "licence": "Apache-2.0",
    },
)
ASTHMA = Document(
    "S:2",
    "哮喘",
    "气道变窄，呼吸困难；发作时胸闷、咳嗽、喘鸣，夜间和清晨更为明显，接触花粉或冷空气后加重。",
    "zh",
    "zh",
    {"heading": "病因", "disease": "MONDO:2"},
)
DOSE = Document("S:3", "哮喘", 10 * "每日两次，", "zh", "zh", {"heading": "用法用量"})
AGE = Document("S:4", "哮喘", "小儿为多见", "zh", "zh", {"heading": "易感人群"})


def test_templates_ask_about_sections_in_their_language(tmp_path: Path) -> None:
    made = make_pairs([GOUT, ASTHMA, DOSE, AGE], Making(each=2), tmp_path / "pairs.parquet")
    pairs, made_by = read_pairs(tmp_path / "pairs.parquet")
    assert made == PairCounts(
        pairs=4, passages=2, unasked=1, short=1, diseases=2, origins={"template": 4}
    )
    assert [(p.passage, p.disease, p.origin) for p in pairs] == [
        ("gout\nGout comes from crystals of uric acid in joints.", "MONDO:1", "template"),
        ("gout\nGout comes from crystals of uric acid in joints.", "MONDO:1", "template"),
        (
            "哮喘\n气道变窄，呼吸困难；发作时胸闷、咳嗽、喘鸣，夜间和清晨更为明显，接触花粉或冷空气后加重。",
            "MONDO:2",
            "template",
        ),
        (
            "哮喘\n气道变窄，呼吸困难；发作时胸闷、咳嗽、喘鸣，夜间和清晨更为明显，接触花粉或冷空气后加重。",
            "MONDO:2",
            "template",
        ),
    ]
    assert all(p.question.endswith("？") == (p.disease == "MONDO:2") for p in pairs)
    assert made_by["making"] == Making(each=2).model_dump()
    assert made_by["licences"] == {"sample": "Apache-2.0", "zh": "not stated"}


def test_page_without_an_id_is_about_the_disease_of_its_title(tmp_path: Path) -> None:
    page = Document(
        "P:1", "Gout", GOUT.text[:-1] + " and toes.", "pages", "en", {"heading": "Causes"}
    )
    made = make_pairs([page, GOUT], Making(each=1), tmp_path / "p.parquet")
    assert (made.pairs, made.diseases) == (2, 1)


def test_generator_asks_about_every_passage(generator_folder: Path, tmp_path: Path) -> None:
    name = str(generator_folder)
    made = make_pairs(
        [GOUT, DOSE], Making(each=3, generator=name, device="cpu"), tmp_path / "p.parquet"
    )
    pairs, _ = read_pairs(tmp_path / "p.parquet")
    assert made.origins == {name: len(pairs)}
    assert {p.passage.split("\n")[0] for p in pairs} <= {"gout", "哮喘"}
    assert [path.name for path in tmp_path.iterdir()] == ["p.parquet"]


def test_limit_draws_by_the_seed(tmp_path: Path) -> None:
    documents = [
        Document(
            f"S:{n}",
            f"disease {n}",
            "Some text that is as long as a paragraph is.",
            "x",
            "en",
            {"heading": "Causes"},
        )
        for n in range(20)
    ]

    def drawn(seed: int) -> list[Pair]:
        make_pairs(documents, Making(each=1, limit=5, seed=seed), tmp_path / "p.parquet")
        return read_pairs(tmp_path / "p.parquet")[0]

    assert len(drawn(0)) == 5
    assert drawn(0) == drawn(0)
    assert drawn(0) != drawn(1)


def test_documents_that_no_template_fits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        RetrievalError, match=r"no question can be made of 1 texts; give an index .*--generator"
    ):
        make_pairs([DOSE], Making(), tmp_path / "p.parquet")
    assert not (tmp_path / "p.parquet").exists()
