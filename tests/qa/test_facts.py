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
from qa.facts import Facts, facts_of
from qa.intent import Intent
from qa.intents import INTENTS
from qa.questions import read
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


def ask(question: str, store: Store, linker: Linker) -> Facts:
    [part] = read(question, linker).parts
    return facts_of(store, part, linker)


def cells(answer: Facts, column: str) -> list[object]:
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
        ("What has arthritis?", "symptom.differential"),
        ("What causes gout?", "disease.causes"),
        ("Which diseases cause gout?", "symptom.differential"),
        ("What causes thirst?", "symptom.differential"),
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
        "痛风不能吃什么食物和药",
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
    assert (read(question, linker).text, answer.query) == (question, query)
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
    with pytest.raises(QuestionError, match="names nothing that this graph knows"):
        ask("What are the symptoms of zzz?", store, linker)


def test_messages_are_in_the_language_that_is_spoken(store: Store, linker: Linker) -> None:
    with speaking("zh"):
        with pytest.raises(QuestionError, match="“zzz”中没有本图谱收录的名称；请使用"):
            ask("zzz", store, linker)
        with pytest.raises(QuestionError, match="图谱中没有痛风（MONDO:1）的“并发症”；"):
            ask("痛风的并发症", store, linker)
        with pytest.raises(
            QuestionError,
            match="图谱中没有关于痛风（MONDO:1）与asthma（MONDO:2）的说法，但这并不等于“否”",
        ):
            ask("痛风会引起asthma吗", store, linker)


def test_missing_fact_is_not_answered_by_another(store: Store, linker: Linker) -> None:
    with pytest.raises(QuestionError, match=r"the graph has no symptoms of asthma \(MONDO:2\)"):
        ask("What are the symptoms of asthma?", store, linker)


def test_unstated_link_between_two_things_is_said_to_be_unstated(
    store: Store, linker: Linker
) -> None:
    with pytest.raises(
        QuestionError,
        match=r"has no statement about .* and .*, which is not a no; .*entity.path head=",
    ):
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


KIN = [
    said("MONDO:10", "HAS_NAME", "arthropathy"),
    said("MONDO:11", "HAS_NAME", "gout"),
    said("MONDO:12", "HAS_NAME", "septic arthritis"),
    said("MONDO:13", "HAS_NAME", "tophaceous gout"),
    fact("MONDO:11", "IS_A", "MONDO:10", tail_type="Disease"),
    fact("MONDO:12", "IS_A", "MONDO:10", tail_type="Disease"),
    fact("MONDO:13", "IS_A", "MONDO:11", tail_type="Disease"),
    fact("MONDO:11", "HAS_SYMPTOM", "HP:1", tail_name="Podagra"),
    fact("MONDO:11", "HAS_SYMPTOM", "HP:2", tail_name="Swelling"),
    fact("MONDO:12", "HAS_SYMPTOM", "HP:2"),
    fact("MONDO:11", "TREATED_BY", "DRUGBANK:1", tail_type="Drug", tail_name="Allopurinol"),
    fact("MONDO:11", "RECOMMENDED_FOOD", "MEDKG:f", tail_type="Food", tail_name="Cherries"),
    fact(
        "DRUGBANK:2",
        "CONTRAINDICATED_FOR",
        "MONDO:11",
        head_type="Drug",
        head_name="Aspirin",
        tail_type="Disease",
    ),
    fact("DRUGBANK:2", "HAS_ADVERSE_REACTION", "MONDO:10", head_type="Drug", tail_type="Disease"),
    said("MONDO:14", "HAS_NAME", "pseudogout"),
    said("MONDO:15", "HAS_NAME", "chondrocalcinosis"),
    fact("MONDO:14", "HAS_CUI", "UMLS:C1", tail_type="Concept"),
    fact("MONDO:15", "HAS_CUI", "UMLS:C1", tail_type="Concept"),
    fact("MONDO:15", "HAS_SYMPTOM", "HP:3", tail_name="Stiffness"),
]


@pytest.fixture(scope="module")
def kin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Linker]]:
    folder = tmp_path_factory.mktemp("kin")
    path = write_assertions(folder / "s.parquet", "s", KIN)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=folder)), Silent())
    with kg.connect(str(folder / "g.lbug")) as graph:
        graph.load(result.tables)
        yield graph, Linker.of_store(graph)


def test_what_only_its_kinds_have_is_said_to_be_theirs_that_of_most_kinds_first(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("symptoms of arthropathy", *kin)
    rows = [(row["entity_name"], row["stated_of"]) for row in answer.rows.dicts()]
    assert rows == [("Swelling", ["gout", "septic arthritis"]), ("Podagra", ["gout"])]
    assert answer.note == (
        "the graph has no symptoms for arthropathy (MONDO:10) itself; these are for its subclasses"
    )
    assert (answer.query, answer.arguments) == ("entity.descendants", {"entity": "MONDO:10"})


def test_what_only_its_parents_have_is_said_to_be_theirs(kin: tuple[Store, Linker]) -> None:
    answer = ask("How is tophaceous gout treated?", *kin)
    rows = [(row["entity_name"], row["stated_of"]) for row in answer.rows.dicts()]
    assert rows == [("Allopurinol", ["gout"])]
    assert answer.note.endswith("these are for its superclasses")


def test_what_shares_a_concept_answers_where_the_thing_itself_has_nothing(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("symptoms of pseudogout", *kin)
    assert cells(answer, "symptom_name") == ["Stiffness"]
    assert "for chondrocalcinosis (MONDO:15), which has the same UMLS concept" in answer.note


def test_relation_without_a_query_of_its_own_is_answered_by_the_triple(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("What should I eat with gout?", *kin)
    assert (answer.query, cells(answer, "entity_name")) == ("entity.tails", ["Cherries"])
    assert answer.arguments == {"head": "MONDO:11", "relations": ["RECOMMENDED_FOOD"]}


def triples(answer: Facts) -> list[tuple[object, ...]]:
    return [(r["head_name"], r["relation"], r["tail_name"]) for r in answer.rows.dicts()]


def test_whether_two_things_go_together_is_answered_about_the_two(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("is aspirin contraindicated in gout?", *kin)
    assert triples(answer) == [("Aspirin", "CONTRAINDICATED_FOR", "gout")]
    assert answer.note == ""


def test_what_is_asked_of_two_things_is_looked_for_in_their_kinds_before_other_statements(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("is aspirin contraindicated in arthropathy?", *kin)
    assert triples(answer) == [("Aspirin", "CONTRAINDICATED_FOR", "gout")]
    assert "the graph does not say so about Aspirin (DRUGBANK:2)" in answer.note


def test_other_statements_of_two_things_are_no_answer_and_are_said_not_to_be(
    kin: tuple[Store, Linker],
) -> None:
    answer = ask("Does aspirin treat arthropathy?", *kin)
    assert triples(answer) == [("Aspirin", "HAS_ADVERSE_REACTION", "arthropathy")]
    assert answer.note.startswith("the graph does not say whether it is as the question says")


def test_two_things_of_which_nothing_is_said_are_not_answered_with_no(
    kin: tuple[Store, Linker],
) -> None:
    with pytest.raises(QuestionError, match=r"no statement about .*, which is not a no; 'medkg"):
        ask("is allopurinol contraindicated in pseudogout?", *kin)
