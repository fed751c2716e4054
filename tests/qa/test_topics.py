"""What is asked of a graph of health topics, with their texts: from the file to the answer."""

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from cypher.translation import language_of, speaking
from ingest.merge import MergeConfig, merge
from ingest.sources import HealthTopicsSource
from ingest.sources.health_topics.source import KIND
from kg.linking import Linker
from kg.progress import Silent
from qa.answer import Answerer, PartAnswer
from qa.corpus import Document, graph_documents
from qa.index import Filter, Index
from qa.index.building import Change, change_index
from qa.passages import without_known_questions

TOPICS = """
- type: Symptom
  id: HP:0001945
  en: fever
  zh: 发热
  also: {zh: [发烧]}
  read: [https://example.org/fever]
  symptoms: [chills | 寒战]
  causes: ["Disease: measles | 麻疹"]
  treatments: [rest | 休息]
  drugs: [paracetamol | 对乙酰氨基酚]
  texts:
    self_care: {en: With a fever rest and drink plenty of water., zh: 体温升高时应多休息、多喝水，穿轻薄的衣服，室温保持舒适。}
    pregnancy: {en: Paracetamol is the first choice against a fever in pregnancy., zh: 孕期体温升高首选对乙酰氨基酚，用前应咨询医生或药师。}
    children: {en: Children under 16 must not be given aspirin., zh: 16岁以下的儿童体温升高时不要服用阿司匹林。}
  questions:
    - ask: {en: [Can teething cause a fever, do babies get hot when teeth come through], zh: [长牙会发烧吗, 宝宝出牙会引起发热吗]}
      say: {en: No. Teething does not cause a real fever; look for another cause., zh: 不会。长牙不会引起真正的发烧，应另找原因。}
    - ask: {en: [Does 37.3 count as a fever], zh: [37.3度算不算发烧]}
      say: {en: "No, 37.3 is mostly normal.", zh: "不算，37.3度多属正常。"}
    - ask: {en: [When should I worry about a fever after a holiday in the tropics], zh: [从热带回来发烧什么时候要去医院]}
      say: {en: At once; it may be malaria., zh: 立即就医，可能是疟疾。}
    - ask: {en: [fever], zh: [发热]}
      say: {en: "999?", zh: "120？"}
    - ask: {en: [Should I wake a child with a fever to give medicine], zh: [孩子发烧睡着了要叫醒吃药吗]}
      say: {en: No. Let the child sleep., zh: 不用。让孩子睡。}
- type: Drug
  en: Examplin
  zh: 例药
  read: [https://example.org/examplin]
  uses: ["Symptom: fever | 发热"]
  texts:
    pregnancy: {en: Examplin is not used in pregnancy. It is sold in boxes., zh: 例药在怀孕期间不使用。}
- type: Drug
  en: Aspirin
  zh: 阿司匹林
  read: [https://example.org/aspirin]
  uses: ["Symptom: fever | 发热"]
  contraindications: ["Population: Children | 儿童", "Population: Pregnant women | 孕妇"]
  questions:
    - ask: {en: [Can I have Aspirin or paracetamol with Examplin, how often may I have Aspirin], zh: [阿司匹林能和例药一起吃吗]}
      say: {en: "Aspirin and Examplin go together.", zh: "可以。阿司匹林能和例药一起吃。"}
- type: Disease
  id: MONDO:0004619
  en: measles
  zh: 麻疹
  read: [https://example.org/measles]
  symptoms: [chills | 寒战]
  texts:
    about: {en: Measles is a very contagious illness with a rash. It is contagious before the rash and measles is caught by nearly all., zh: 麻疹是传染性很强的疾病，会出皮疹，几乎人人都会被传染。}
    spread: {en: Measles passes through the air until four days after the rash., zh: 麻疹经空气传播，出疹后四天内都有传染性，应当隔离。}
- type: Disease
  id: MONDO:0004979
  en: asthma
  zh: 哮喘
  read: [https://example.org/asthma]
  causes: ["Behavior: exercise | 运动"]
  risk_factors: ["Exposure: smoke | 烟雾"]
  symptoms: [wheezing | 喘息]
  tests: [spirometry | 肺功能检查]
  questions:
    - ask: {en: [How long is asthma worse among freshly painted walls], zh: [刚刷墙哮喘会加重多久]}
      say: {en: "Asthma among paint: a fortnight.", zh: "刷墙与哮喘：两周。"}
  complications: [pneumothorax | 气胸]
- type: Symptom
  id: HP:0003394
  en: muscle cramp
  zh: 肌肉痉挛
  read: [https://example.org/cramp]
  treatments: [stretching of the muscle | 拉伸肌肉]
  texts:
    about: {en: A muscle cramp is a painful tightening of a muscle., zh: 肌肉痉挛是肌肉不自主的疼痛性收缩，多见于小腿和足部。}
    seek_help: {en: See a doctor if muscle cramps last longer than ten minutes., zh: 肌肉痉挛持续超过十分钟应去医院就医，或反复发作时就医。}
  questions:
    - ask: {en: [When should I see a doctor for a cramp in the calf], zh: [小腿抽筋什么时候要去医院]}
      say: {en: Within days., zh: 几天内就医。}
    - ask: {en: [When should I see a doctor for a cramp in the foot], zh: [脚抽筋什么时候要去医院]}
      say: {en: Within days., zh: 几天内就医。}
    - ask: {en: [When should I see a doctor for a cramp in the hand], zh: [手抽筋什么时候要去医院]}
      say: {en: Within days., zh: 几天内就医。}
    - ask: {en: [When should I see a doctor for a cramp in the thigh], zh: [大腿抽筋什么时候要去医院]}
      say: {en: Within days., zh: 几天内就医。}
"""


def _without_quotes(topics: str) -> str:
    """Topics whose items with a type are mappings, as in the files of medkg."""
    return re.sub(r'"(\w+: [^"|]+\|[^"]+)"', r"\1", topics)


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answerer]:
    folder = tmp_path_factory.mktemp("topics")
    file = folder / "topics.yaml"
    file.write_text(_without_quotes(TOPICS), encoding="utf-8")
    KIND.read(HealthTopicsSource(kind="health-topics", file=file), folder / "read", Silent())
    rows = {
        "health-topics": folder / "read" / "assertions.parquet",
        "table": _of_a_table(folder),
    }
    result = merge(MergeConfig(assertions=rows, made_by="a test"), folder / "m", Silent())
    with kg.connect(str(folder / "g.lbug")) as empty:
        empty.load(result.tables)
    with kg.connect(str(folder / "g.lbug")) as store:
        texts = [each for each in graph_documents(store) if isinstance(each, Document)]
        change_index(folder / "texts", Change(documents=texts))
        linker = Linker.of_store(store, folder / "linking")
        yield Answerer(store, linker, Index.open(folder / "texts"))


def _of_a_table(folder: Path) -> Path:
    """What a table says of a disease of children, without the ranks of a list of topics."""
    file = folder / "table.yaml"
    file.write_text(
        "- {type: Disease, en: pediatric fever, zh: 小儿发烧, read: [x], drugs: [some syrup | 某糖浆]}",
        encoding="utf-8",
    )
    KIND.read(
        HealthTopicsSource(kind="health-topics", name="table", file=file),
        folder / "table",
        Silent(),
    )
    rows = pq.read_table(folder / "table" / "assertions.parquet")
    at = rows.schema.get_field_index("evidence")
    rows = rows.set_column(at, rows.schema.field(at), pa.nulls(len(rows), rows.schema.types[at]))
    pq.write_table(rows, folder / "table.parquet")
    return folder / "table.parquet"


def answered(answerer: Answerer, question: str) -> PartAnswer:
    with speaking(language_of(question)):
        (part,) = answerer.answer(question).parts
    return part


def prose(answerer: Answerer, question: str) -> str:
    return " ".join(statement.text for statement in answered(answerer, question).prose)


def test_sentence_of_a_list_names_what_its_table_has(answerer: Answerer) -> None:
    part = answered(answerer, "What should I do about a fever?")
    assert part.facts is not None
    rows = [str(row["treatment_name"]) for row in part.facts.rows.dicts()]
    assert set(rows) == {"rest", "paracetamol"}
    assert part.prose[0].text == f"fever: treatments: {', '.join(rows)}."


def test_children_are_told_what_the_text_on_children_says(answerer: Answerer) -> None:
    told = prose(answerer, "My child has a fever, what should I do?")
    assert "Aspirin" not in told.split(".")[0]
    assert "must not be given aspirin" in told
    assert "不要服用阿司匹林" in prose(answerer, "孩子发烧怎么办")


@pytest.mark.parametrize(
    "question", ["How long is measles contagious?", "how do you catch measles", "麻疹会传染多久"]
)
def test_text_whose_heading_asks_the_same_goes_before_one_that_only_says_so(
    answerer: Answerer, question: str
) -> None:
    assert re.search("until four days|四天内", prose(answerer, question))


@pytest.mark.parametrize(
    "question",
    [
        "I'm pregnant and have a fever, what is safe to take?",
        "16 weeks gone and this fever is awful. What's safe to take?",
        "怀孕发烧吃什么药安全",
    ],
)
def test_who_is_pregnant_is_told_what_the_text_on_pregnancy_says(
    answerer: Answerer, question: str
) -> None:
    part = answered(answerer, question)
    assert part.part.readings[0].heading == "drugs"
    assert re.search("first choice|首选", " ".join(each.text for each in part.prose))
    assert part.notes == ()


def test_why_one_has_a_finding_is_asked_for_its_causes(answerer: Answerer) -> None:
    for question in ("why do I keep getting a fever", "老是发烧是怎么回事"):
        readings = answered(answerer, question).part.readings
        assert [(r.heading, r.subjects[0].id) for r in readings[:1]] == [("causes", "HP:0001945")]
    both = answered(answerer, "发烧还肌肉痉挛，怎么回事").part.readings[0]
    assert both.query == "symptom.differential"


def test_what_is_typical_of_all_is_told_before_what_a_table_has_of_children(
    answerer: Answerer,
) -> None:
    part = answered(answerer, "孩子发烧怎么办")
    assert part.facts is not None
    assert [row["treatment_name"] for row in part.facts.rows.dicts()] == ["paracetamol", "rest"]


def test_chinese_text_is_found_by_another_name_than_the_question_has(answerer: Answerer) -> None:
    assert "多休息、多喝水" in prose(answerer, "发烧怎么办")


def test_text_on_a_drug_in_pregnancy_is_quoted_where_nothing_is_stated(answerer: Answerer) -> None:
    told = prose(answerer, "Can I take Examplin when pregnant?")
    assert told == "Examplin is not used in pregnancy."
    assert "不使用" in prose(answerer, "怀孕能吃例药吗")


def test_what_a_disease_comes_from_is_no_reason_not_to_do_it(answerer: Answerer) -> None:
    part = answered(answerer, "哮喘可以运动吗")
    assert part.facts is not None
    assert part.facts.verdict == ""


def test_picture_is_told_in_the_order_of_a_textbook(answerer: Answerer) -> None:
    part = answered(answerer, "What is asthma?")
    assert part.facts is not None
    relations = [row["relation"] for row in part.facts.rows.dicts()]
    assert relations == [
        *("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR", "DIAGNOSED_BY", "COMPLICATED_BY")
    ]


def test_who_describes_something_is_told_when_to_see_a_doctor(answerer: Answerer) -> None:
    question = (
        "woke up at three with my calf in a hard knot, hopped about till it let go, what is it"
    )
    part = answered(answerer, question)
    assert part.part.is_described
    assert part.prose[-1].text == "See a doctor if muscle cramps last longer than ten minutes."
    assert part.prose[-1].edges[0].relation == "HAS_SECTION"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("my baby is teething, can that cause a fever", "Teething does not cause a real fever"),
        ("is it normal to get hot when the teeth come through?", "Teething does not cause a real"),
        ("孩子睡着了还在发烧，要不要叫醒吃药", "让孩子睡"),
        ("寶寶長牙會發燒嗎", "长牙不会引起真正的发烧"),
        ("does 37.3 count as fever?", "mostly normal"),
        ("37.3度算发烧吗", "多属正常"),
        ("can I have examplin with aspirin", "Aspirin and Examplin go together"),
    ],
)
def test_question_that_a_text_answers_in_other_words(
    answerer: Answerer, question: str, said: str
) -> None:
    part = answered(answerer, question)
    assert said in " ".join(statement.text for statement in part.prose)
    assert (part.facts, part.problem, part.part.readings) == (None, None, ())
    assert all(statement.is_supported for statement in part.prose)


@pytest.mark.parametrize(
    "question",
    ["What is a fever?", "How is a fever treated?", "发热怎么治疗", "Can asthma cause a fever?", "fever",
     "does 104 count as fever?", "40度算不算发烧", "Should I wake my dog with a fever to give medicine?",
     "I am pregnant, does 37.3 count as a fever?", "Is asthma worse among freshly painted walls?", "What is Aspirin?", "Is there Aspirin in Examplin?"],
)  # fmt: skip
def test_other_questions_on_the_same_thing_are_not_answered_by_it(
    answerer: Answerer, question: str
) -> None:
    told = prose(answerer, question)
    assert "teeth" not in told.lower()
    assert "sleep" not in told
    assert "长牙" not in told
    assert "37.3" not in told
    assert "999" not in told
    assert "together" not in told
    assert "fortnight" not in told


def test_text_that_answers_two_parts_is_told_once(answerer: Answerer) -> None:
    with speaking("en"):
        answer = answerer.answer(
            "Can teething cause a fever? And do babies get hot when teeth come through?"
        )
    assert len(answer.question.parts) == 2
    assert len(answer.parts) == 1


@pytest.mark.parametrize(
    ("without", "left"),
    [
        ({}, {"texts"}),
        ({"category": "texts"}, set()),
        ({"category": ["texts", "other"]}, set()),
        ({"language": "en"}, set()),
    ],
)
def test_known_questions_are_no_passages(
    answerer: Answerer, without: Filter, left: set[str]
) -> None:
    index = answerer.index
    assert index is not None
    assert {hit.record.metadata["category"] for hit in index.search("fever", 50)} == {
        "texts",
        "questions",
    }
    hits = index.search("fever", 50, without=without_known_questions(index, without))
    assert {hit.record.metadata["category"] for hit in hits} == left
