"""Questions in English and Chinese, asked of a small graph in the embedded engine."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import opencc
import pyarrow as pa
import pytest

import kg
from cypher import load_catalogue
from cypher.translation import speaking
from ingest.merge import MergeConfig, merge
from kg.errors import QuestionError
from kg.linking import Linker, Names
from kg.progress import Silent
from kg.stores.store import Store
from qa.ask import Answer, ask
from qa.intent import Intent
from qa.intents import INTENTS
from qa.subjects import find_subjects, read_question
from tests.ingest.rows import fact, said, write_assertions

ROWS = [
    said("MONDO:1", "HAS_NAME", "gout"),
    said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
    said("MONDO:2", "HAS_NAME", "asthma"),
    said("MONDO:3", "HAS_NAME", "type 2 diabetes mellitus"),
    said("MONDO:3", "HAS_SYNONYM", "type 2 diabetes"),
    said("MONDO:4", "HAS_NAME", "diabetes"),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name="Arthritis", frequency=0.9),
    fact("MONDO:3", "HAS_SYMPTOM", "HP:2", tail_name="Thirst"),
    fact("MONDO:1", "TREATED_BY", "DRUGBANK:1", tail_type="Drug", tail_name="Allopurinol"),
    fact(
        "DRUGBANK:2",
        "CONTRAINDICATED_FOR",
        "MONDO:2",
        head_type="Drug",
        head_name="Propranolol",
        tail_type="Disease",
    ),
    fact("MONDO:1", "CAUSED_BY", "HP:3", tail_name="Hyperuricemia"),
    fact("MONDO:4", "HAS_SYMPTOM", "HP:4", tail_name="Gout"),
    fact(
        "DRUGBANK:3",
        "INDICATED_FOR",
        "MONDO:3",
        head_type="Drug",
        head_name="Metformin",
        tail_type="Disease",
    ),
    fact("DRUGBANK:2", "CONTRAINDICATED_FOR", "DRUGBANK:1", head_type="Drug", tail_type="Drug"),
    fact("NCBIGene:9", "ASSOCIATED_WITH", "MONDO:1", head_type="Gene", head_name="WAS"),
    fact("NCBIGene:9", "ASSOCIATED_WITH", "MONDO:2", head_type="Gene"),
]
ROWS = [
    row._replace(tail_type="Disease") if row.relation == "ASSOCIATED_WITH" else row for row in ROWS
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("graph")
    path = write_assertions(folder / "s.parquet", "s", ROWS)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=folder)), Silent())
    with kg.connect(str(folder / "g.lbug")) as graph:
        graph.load(result.tables)
        yield graph


@pytest.fixture(scope="module")
def linker(store: Store) -> Linker:
    return Linker.of_store(store)


def cells(answer: Answer, column: str) -> list[object]:
    return [row[column] for row in answer.rows.dicts()]


def test_symptoms_of_a_disease(store: Store, linker: Linker) -> None:
    answer = ask("What are the symptoms of gout?", store, linker)
    assert (answer.query, answer.arguments) == ("disease.symptoms", {"disease": "MONDO:1"})
    assert cells(answer, "symptom_name") == ["Arthritis"]
    assert cells(answer, "sources") == [["s"]]


def test_contraindication_stated_by_the_other_drug_is_found(store: Store, linker: Linker) -> None:
    answer = ask("What are the contraindications of allopurinol?", store, linker)
    assert cells(answer, "reason_name") == ["Propranolol"]


def test_chinese_question_without_spaces(store: Store, linker: Linker) -> None:
    assert ask("痛风有哪些症状？", store, linker).query == "disease.symptoms"


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("How is gout treated?", "disease.treatments"),
        ("Which drugs should be avoided in asthma?", "drug.avoid_with_condition"),
        ("Which genes do gout and asthma share?", "gene.shared"),
        ("gout", "disease.profile"),
        ("What diseases is WAS linked to?", "gene.diseases"),
        ("What has arthritis?", "symptom.diseases"),
        ("What causes gout?", "disease.causes"),
        ("Which diseases cause gout?", "symptom.diseases"),
        ("What causes thirst?", "symptom.diseases"),
        ("Does gout cause arthritis?", "entity.statements"),
        ("痛风会引起arthritis吗", "entity.statements"),
        ("What does metformin treat?", "drug.indications"),
    ],
)
def test_words_choose_the_query(store: Store, linker: Linker, question: str, query: str) -> None:
    assert ask(question, store, linker).query == query


def test_longest_name_is_the_mention(linker: Linker) -> None:
    subjects = find_subjects("Symptoms of type 2 diabetes?", linker)
    assert [subject.id for subject in subjects] == ["MONDO:3"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("the gouts", "MONDO:1"),
        ("gout's symptoms", "MONDO:1"),
        ("what are asthmas' symptoms", "MONDO:2"),
        ("thirsts?", "HP:2"),
    ],
)
def test_plural_and_possessive_of_a_name_are_the_name(
    linker: Linker, question: str, name: str
) -> None:
    assert name in [subject.id for subject in find_subjects(question, linker)]


def test_name_that_ends_as_a_plural_is_no_plural(linker: Linker) -> None:
    assert [subject.name for subject in find_subjects("arthritis", linker)] == ["Arthritis"]


@pytest.mark.parametrize(
    "question",
    [
        "type 2 diabetes不能吃什么药",
        "Which drugs should not be taken in type 2 diabetes?",
        "Can I use metformin in gout?",
    ],
)
def test_question_for_a_warning_is_never_answered_by_what_helps(
    store: Store, linker: Linker, question: str
) -> None:
    with pytest.raises(QuestionError, match="the graph has no "):
        ask(question, store, linker)


def test_two_things_of_one_name_are_not_asked_about_each_other(
    store: Store, linker: Linker
) -> None:
    assert ask("Does gout cause problems?", store, linker).query == "disease.causes"


def test_offsets_are_those_of_the_question(linker: Linker) -> None:
    question = "Is it  ASTHMA, or not?"
    [subject] = find_subjects(question, linker)
    assert question[subject.start :].startswith("ASTHMA")


def test_gene_is_known_by_its_symbol_as_written(linker: Linker) -> None:
    assert [subject.id for subject in find_subjects("what was it", linker)] == []
    assert [subject.id for subject in find_subjects("what does WAS do", linker)] == ["NCBIGene:9"]


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("痛風有哪些症狀？", "disease.symptoms"),
        ("痛風如何治療", "disease.treatments"),
        ("痛風是甚麼原因", "disease.causes"),
        ("為什麼會得痛風", "disease.causes"),
        ("痛風要吃什麼藥", "disease.drugs"),
        ("痛風與哪些基因有關", "disease.genes"),
        ("通风 痛風", "disease.profile"),
    ],
)
def test_question_in_traditional_chinese(
    store: Store, linker: Linker, question: str, query: str
) -> None:
    answer = ask(question, store, linker)
    assert (answer.question, answer.query) == (question, query)
    assert answer.arguments == {"disease": "MONDO:1"}


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.example)
@pytest.mark.parametrize("configuration", ["s2t", "s2tw", "s2hk"])
def test_words_of_an_intent_are_known_in_the_characters_of_each_region(
    linker: Linker, intent: Intent, configuration: str
) -> None:
    question = opencc.OpenCC(configuration).convert(intent.example)
    read, _ = read_question(question, linker)
    assert intent.words.search(read)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("愛滋病的症狀", "艾滋病的症状"),
        ("What is 愛滋病?", "What is 艾滋病?"),
        ("乳癌的症狀", "乳癌的症状"),
        ("程序的症状", "程序的症状"),
    ],
)
def test_words_of_taiwan_are_those_of_the_mainland_where_these_name_more(
    question: str, read: str
) -> None:
    names = pa.table(
        {
            "id": ["MONDO:9", "MONDO:8", "MONDO:7"],
            "type": ["Disease"] * 3,
            "name": ["艾滋病", "乳癌", "进程"],
            "language": ["zh"] * 3,
        }
    )
    linker = Linker.of_names(Names.of_table(names))
    assert read_question(question, linker)[0] == read


@pytest.mark.parametrize(
    "question",
    [
        "symptoms of astma",
        "What are the symptoms of type II diabetes?",
        "mellitus diabetes type 2",
    ],
)
def test_misspelt_and_reordered_names_are_understood(linker: Linker, question: str) -> None:
    assert len(find_subjects(question, linker)) == 1


def test_unknown_name_is_said_to_be_unknown(store: Store, linker: Linker) -> None:
    with pytest.raises(QuestionError, match="names nothing that the graph knows"):
        ask("What are the symptoms of zzz?", store, linker)


def test_messages_are_in_the_language_that_is_spoken(store: Store, linker: Linker) -> None:
    with speaking("zh"):
        with pytest.raises(QuestionError, match="“zzz”中没有图谱收录的名称；请使用"):
            ask("zzz", store, linker)
        with pytest.raises(QuestionError, match="图谱中没有痛风（MONDO:1）的“并发症”；"):
            ask("痛风的并发症", store, linker)
        with pytest.raises(QuestionError, match="与asthma（MONDO:2）的“直接关系”"):
            ask("痛风会引起asthma吗", store, linker)


def test_missing_fact_is_not_answered_by_another(store: Store, linker: Linker) -> None:
    with pytest.raises(QuestionError, match=r"the graph has no symptoms of asthma \(MONDO:2\)"):
        ask("What are the symptoms of asthma?", store, linker)


def test_unstated_link_between_two_things_is_said_to_be_unstated(
    store: Store, linker: Linker
) -> None:
    with pytest.raises(QuestionError, match=r"the graph has no direct statements of .* and "):
        ask("Can propranolol cause arthritis?", store, linker)


@pytest.mark.parametrize("question", ["", "   ", "???", "\x00", "🤒", "a" * 10_000])
def test_question_without_words_is_refused_in_one_sentence(
    store: Store, linker: Linker, question: str
) -> None:
    with pytest.raises(QuestionError) as caught:
        ask(question, store, linker)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_question_with_cypher_in_it_is_only_text(store: Store, linker: Linker) -> None:
    with pytest.raises(QuestionError, match="names nothing"):
        ask("x'}) DETACH DELETE (n) //", store, linker)


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.example)
def test_words_of_an_intent_are_in_its_example_and_not_in_its_counterexample(
    intent: Intent,
) -> None:
    assert intent.words.search(intent.example)
    assert (intent.but_not is None) == (not intent.words.pattern)
    assert intent.but_not is None or not intent.words.search(intent.but_not)


def test_every_intent_is_a_query_with_these_parameters() -> None:
    catalogue = load_catalogue()
    for intent in INTENTS:
        if intent.query is None:
            assert intent.gaps, intent.heading
            continue
        required = {p.name for p in catalogue.find(intent.query).parameters if p.default is None}
        assert required == set(intent.subjects), intent.query
