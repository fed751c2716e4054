"""Questions that want yes or no, and questions of people who may not take everything."""

from collections.abc import Iterator

import pytest

import kg
from cypher.translation import language_of, speaking
from ingest.merge import MergeConfig, merge
from kg.linking import Linker
from kg.progress import Silent
from kg.stores.store import Store
from qa.answer import Answerer, PartAnswer
from tests.ingest.rows import fact, said, write_assertions

DRUG, PEOPLE, FINDING, FOOD = (
    {"head_type": "Drug"},
    {"tail_type": "Population"},
    {"tail_type": "Symptom"},
    {"tail_type": "Exposure"},
)
ROWS = [
    said("MONDO:1", "HAS_NAME", "toxoplasmosis"),
    said("MONDO:1", "HAS_NAME", "弓形虫病", language="zh"),
    said("MONDO:2", "HAS_NAME", "congenital toxoplasmosis"),
    said("MONDO:2", "HAS_NAME", "先天性弓形虫病", language="zh"),
    fact("MONDO:1", "COMPLICATED_BY", "HP:1", tail_name="Encephalitis", **FINDING),
    fact("MONDO:2", "COMPLICATED_BY", "HP:2", tail_name="Chorioretinitis", **FINDING),
    said("MONDO:3", "HAS_NAME", "acne"),
    said("MONDO:3", "HAS_NAME", "痤疮", language="zh"),
    said("DRUGBANK:1", "HAS_NAME", "Isotretinoin", **DRUG),
    said("DRUGBANK:1", "HAS_SYNONYM", "Roaccutane", **DRUG),
    said("DRUGBANK:2", "HAS_NAME", "Clindamycin", **DRUG),
    said("DRUGBANK:3", "HAS_NAME", "Codeine", **DRUG),
    said("DRUGBANK:3", "HAS_NAME", "可待因", language="zh", **DRUG),
    fact("DRUGBANK:1", "INDICATED_FOR", "MONDO:3", tail_type="Disease", **DRUG),
    fact("DRUGBANK:2", "INDICATED_FOR", "MONDO:3", tail_type="Disease", **DRUG),
    fact(
        "DRUGBANK:1",
        "CONTRAINDICATED_FOR",
        "MEDKG:p",
        tail_name="Pregnant women",
        **DRUG,
        **PEOPLE,
    ),
    fact(
        "DRUGBANK:3",
        "CONTRAINDICATED_FOR",
        "MEDKG:c",
        tail_name="Children younger than 12 years",
        **DRUG,
        **PEOPLE,
    ),
    said("HP:3", "HAS_NAME", "Dry skin", head_type="Symptom"),
    fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", "HP:3", tail_type="Symptom", **DRUG),
    said("MEDKG:a", "HAS_NAME", "Alcohol use", head_type="Exposure"),
    said("MEDKG:a", "HAS_NAME", "饮酒", language="zh", head_type="Exposure"),
    said("MONDO:4", "HAS_NAME", "pancreatitis"),
    said("MONDO:4", "HAS_NAME", "胰腺炎", language="zh"),
    fact("MONDO:4", "HAS_RISK_FACTOR", "MEDKG:a", **FOOD),
    fact("MONDO:4", "HAS_SYMPTOM", "HP:4", tail_name="Vomiting", **FINDING),
    said("MONDO:5", "HAS_NAME", "Huntington disease"),
    fact("MONDO:5", "HAS_INHERITANCE", "HP:6", tail_type="Inheritance", tail_name="Dominant"),
    fact("MONDO:4", "CAUSED_BY", "MEDKG:o", tail_type="Organism", tail_name="Mumps virus"),
    fact("MONDO:4", "CAUSED_BY", "MEDKG:a", **FOOD),
    fact("DRUGBANK:1", "INTERACTS_WITH", "MEDKG:f", tail_type="Food", tail_name="Milk", **DRUG),
]


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answerer]:
    folder = tmp_path_factory.mktemp("leave")
    path = write_assertions(folder / "s.parquet", "s", ROWS)
    result = merge(MergeConfig(assertions={"s": path}, made_by="a test"), folder / "m", Silent())
    with kg.connect(str(folder / "g.lbug")) as graph:
        graph.load(result.tables)
    store: Store
    with kg.connect(str(folder / "g.lbug")) as store:
        yield Answerer(store, Linker.of_store(store, folder / "linking"))


def ask(question: str, answerer: Answerer) -> PartAnswer:
    with speaking(language_of(question)):
        (part,) = answerer.answer(question).parts
    return part


def first(question: str, answerer: Answerer) -> str:
    return ask(question, answerer).prose[0].text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can a pregnant woman take Roaccutane?", "No, unless a doctor decides otherwise."),
        ("Is codeine safe for my 4 year old?", "No, unless a doctor decides otherwise."),
        ("八岁的孩子能吃可待因吗", "不可以，除非医生另有决定。"),
        ("胰腺炎病人能喝白酒吗", "最好不要，除非医生或药师同意。"),
        ("胰腺炎能喝酒吗", "最好不要，除非医生或药师同意。"),
        ("Can drinking alcohol cause pancreatitis?", "Yes."),
        ("Is Huntington disease inherited?", "Yes."),
        ("I take Roaccutane and have dry skin. Could it be from that?", "Yes."),
        ("Could vomiting be pancreatitis?", "It may be."),
    ],
)
def test_question_that_wants_yes_or_no_gets_it_first(
    answerer: Answerer, question: str, said: str
) -> None:
    assert first(question, answerer) == said
    assert not answerer.answer(question).unsupported


@pytest.mark.parametrize(
    "question",
    [
        "Can pregnant women take clindamycin?",  # nothing is said against it, which is no yes
        "Is codeine safe for my 15 year old?",  # too old for the group
        "Can pancreatitis cause alcohol use?",  # the other way round
        "Can I use isotretinoin for acne?",  # it is for it, and may not suit who asks
    ],
)
def test_what_no_statement_says_is_no_yes_and_no_no(answerer: Answerer, question: str) -> None:
    part = ask(question, answerer)
    assert part.facts is None or part.facts.verdict == ""


@pytest.mark.parametrize(
    "question",
    [
        "What can I take for acne when pregnant?",
        "What can you give a pregnant woman for acne?",
        "怀孕了长痤疮用什么药",
    ],
)
def test_who_may_not_take_everything_gets_what_to_avoid_and_no_list_of_drugs(
    answerer: Answerer, question: str
) -> None:
    facts = ask(question, answerer).facts
    assert facts is not None
    assert [row[1] for row in facts.rows.rows] == ["Isotretinoin"]
    assert facts.note


@pytest.mark.parametrize(
    "question", ["What harm can toxoplasmosis do to an unborn baby?", "弓形虫病对胎儿有什么危害"]
)
def test_disease_of_the_unborn_is_meant_where_the_question_is_about_them(
    answerer: Answerer, question: str
) -> None:
    facts = ask(question, answerer).facts
    assert facts is not None
    assert [row[1] for row in facts.rows.rows] == ["Chorioretinitis"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which germ causes pancreatitis?", ["Mumps virus"]),
        ("什么病毒会得胰腺炎", ["Mumps virus"]),
        ("What triggers pancreatitis?", ["Alcohol use", "Mumps virus"]),
        ("What should I not eat with pancreatitis?", ["Alcohol use"]),
        ("Which foods should I avoid with Roaccutane?", ["Milk"]),
    ],
)
def test_question_of_everyday_life_asks_for_a_relation(
    answerer: Answerer, question: str, found: list[str]
) -> None:
    facts = ask(question, answerer).facts
    assert facts is not None
    at = next(at for at, name in enumerate(facts.rows.columns) if name.endswith("_name"))
    assert sorted(str(row[at]) for row in facts.rows.rows) == found


@pytest.mark.parametrize(
    "question", ["What is the active ingredient of Roaccutane?", "Roaccutane的成分是什么"]
)
def test_ingredient_of_a_brand_is_the_drug_that_goes_by_it(
    answerer: Answerer, question: str
) -> None:
    assert "Isotretinoin" in first(question, answerer)
