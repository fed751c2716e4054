import json
from pathlib import Path

import pytest

import kg
from ingest.merge import MergeConfig, merge
from kg.embeddings.artifact import Artifact, save_artifact
from kg.progress import Silent
from qa.corpus import Document
from qa.index.building import Change, change_index
from tests.conftest import CommandLine
from tests.ingest.rows import fact, write_assertions


def test_control_characters_of_a_source_do_not_reach_the_terminal(
    tmp_path: Path, cli: CommandLine
) -> None:
    escape = "\x1b[31m"
    row = fact(
        "MONDO:1",
        "HAS_SYMPTOM",
        "HP:1",
        head_name="gout",
        tail_name=f"{escape}Arthritis",
        publications=f"{escape}PMID:1",
    )
    path = write_assertions(tmp_path / "s.parquet", "s", [row])
    out = tmp_path / "out"
    out.mkdir()
    result = merge(MergeConfig(assertions={"s": path}, made_by="a test"), out, Silent())
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(result.tables)
    answer = cli("ask", "symptoms of gout", "--graph", "g.lbug")
    assert answer.code == 0, answer.err
    assert "[1] \\u001b[31mPMID:1" in answer.out
    assert "\x1b" not in answer.out + answer.err


def test_graph_answers_a_triple(cli: CommandLine, triple_graph: Path) -> None:
    answer = cli("ask", "symptoms of gout", "--by", "graph", "--graph", str(triple_graph))
    assert answer.code == 0, answer.err
    assert answer.out.startswith("gout (MONDO:1): symptoms\n")
    assert answer.out.index("Fever") < answer.out.index("Arthritis")
    assert "<MONDO:1, HAS_SYMPTOM, ?>" in answer.out


@pytest.mark.parametrize(
    ("given", "locale"),
    [
        (("痛風有哪些症狀",), "en_US.UTF-8"),
        (("symptoms of gout", "--lang", "zh"), "C.UTF-8"),
        (("痛风",), "C.UTF-8"),
    ],
)
def test_answer_is_in_the_language_of_the_question_or_the_one_that_is_given(
    cli: CommandLine, triple_graph: Path, given: tuple[str, ...], locale: str
) -> None:
    answer = cli("ask", *given, "--graph", str(triple_graph), env={"LANG": locale})
    assert answer.code == 0, answer.err
    assert answer.out.startswith("痛风（MONDO:1）：")
    assert "图谱中的相关事实：" in answer.out
    assert {"频率", "出现频率"} & {*answer.out.split()}
    assert " 行\n对应命令：medkg query disease." in answer.err
    assert answer.err.endswith("以上内容仅供参考，不构成医疗建议。\n")


def test_english_question_is_answered_in_english_anywhere(
    cli: CommandLine, triple_graph: Path
) -> None:
    asked = ("ask", "symptoms of gout", "--graph", str(triple_graph))
    answer = cli(*asked, env={"LANG": "zh_CN.UTF-8"})
    assert answer.out == cli(*asked).out
    assert answer.out.startswith("gout (MONDO:1): symptoms\n")
    assert answer.err.splitlines()[-4:] == [
        "2 rows",
        "Asked by: medkg query disease.symptoms disease=MONDO:1",
        "",
        "This is information and no medical advice.",
    ]


def test_json_is_the_same_in_every_language(cli: CommandLine, triple_graph: Path) -> None:
    asked = ("ask", "痛风的症状", "--json", "--graph", str(triple_graph))
    answer, other = (json.loads(cli(*asked, "--lang", lang).out) for lang in ("zh", "en"))
    prose = [each["parts"][0]["answer"].pop(0)["text"] for each in (answer, other)]
    assert prose == ["痛风的症状：发热、Arthritis。", "gout: symptoms: Fever, Arthritis."]
    assert answer == other
    [part] = answer.pop("parts")
    assert answer == {
        "question": "痛风的症状",
        "language": "zh",
        "category": "symptom",
        "fit": 1.0,
        "emergency": None,
    }
    assert (part["heading"], part["entities"][0]["name"], part["total"]) == ("symptoms", "gout", 2)
    assert "symptom_id" in part["columns"]


def test_parts_are_answered_in_turn_and_what_is_not_answered_is_named(
    cli: CommandLine, triple_graph: Path
) -> None:
    asked = ("ask", "symptoms, complications and causes of gout", "--graph", str(triple_graph))
    answer = cli(*asked)
    assert answer.code == 0, answer.err
    told = [line for line in answer.out.splitlines() if "gout (" in line]
    assert told[0] == "gout (MONDO:1): symptoms"
    assert told[1].startswith("Not answered: the graph has no complications of gout (MONDO:1);")
    assert told[2] == "gout (MONDO:1): causes"
    parts = json.loads(cli(*asked, "--json").out)["parts"]
    assert ["problem" in part for part in parts] == [False, True, False]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    said = {
        "Symptoms": "Gout brings fever and arthritis.",
        "Treatment": "Gout is treated with fever medicine, say some.",
        "Outlook": "The outlook of gout is good.",
    }
    documents = [
        Document(name, "Gout", text, "a source", "en", {"heading": name, "url": "example.org"})
        for name, text in said.items()
    ]
    change_index(tmp_path / "texts", Change(documents=documents))
    return tmp_path / "texts"


def test_text_is_quoted_first_with_where_it_stands(
    cli: CommandLine, triple_graph: Path, texts: Path
) -> None:
    given = ("--texts", str(texts), "--graph", str(triple_graph))
    answer = cli("ask", "symptoms of gout", *given)
    assert answer.code == 0, answer.err
    assert answer.out.splitlines()[:7] == [
        "gout (MONDO:1): symptoms",
        "",
        "Gout brings fever and arthritis.",
        "",
        "From: Gout, Symptoms; a source; example.org",
        "",
        "What the graph has on it:",
    ]
    [part] = json.loads(cli("ask", "symptoms of gout", *given, "--json").out)["parts"]
    assert [(each["text"], each["passage"]["end"]) for each in part["answer"]] == [
        ("Gout brings fever and arthritis.", 32)
    ]


def test_what_only_texts_say_is_quoted_under_the_name_of_the_thing(
    cli: CommandLine, triple_graph: Path, texts: Path
) -> None:
    given = ("--texts", str(texts), "--graph", str(triple_graph), "--explain")
    answer = cli("ask", "What is the outlook for gout?", *given)
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[:3] == ["gout (MONDO:1)", "", "The outlook of gout is good."]
    assert "Candidates (highest score):" in lines
    by_rouge = cli("ask", "What is the outlook for gout?", *given, "--selector", "rouge-l")
    assert "Candidates (no subgraph, the best ranked):" in by_rouge.out.splitlines()


def test_chinese_facts_stand_before_the_note_on_a_text_in_english(
    cli: CommandLine, triple_graph: Path, texts: Path
) -> None:
    given = ("--texts", str(texts), "--graph", str(triple_graph))
    answer = cli("ask", "痛风有什么症状", *given)
    assert answer.code == 0, answer.err
    assert answer.out.splitlines()[:9] == [
        "痛风（MONDO:1）：症状",
        "",
        "痛风的症状：发热、Arthritis。",
        "",
        "没有与此相关的中文文本，以下内容引自英文：",
        "",
        "Gout brings fever and arthritis.",
        "",
        "出自：Gout, Symptoms; a source; example.org",
    ]
    [part] = json.loads(cli("ask", "痛风有什么症状", *given, "--json").out)["parts"]
    assert [(each["passage"] is None, len(each["edges"])) for each in part["answer"]] == [
        (True, 2),
        (False, 0),
    ]
    [candidate] = part["candidates"]
    assert (part["selector"], part["reason"]) == ("weighted", "highest score")
    # of the question's seven characters and the name searched for the text has the name
    assert candidate["weighted"] == {
        "sum": pytest.approx(0.061 + 0.072 + 0.062 / 8),
        "about": 2,
        "covered": 1.0,
        "same_kind": 1.0,
        "likeness": 0.125,
        "agreed": 0.0,
    }


def test_facts_that_the_sentence_states_are_shown_where_no_query_gives_them(
    cli: CommandLine, triple_graph: Path
) -> None:
    answer = cli("ask", "What is allopurinol used for?", "--graph", str(triple_graph))
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[:5] == [
        "Allopurinol (DRUGBANK:1): indications",
        "",
        "Allopurinol: indications: gout.",
        "",
        "What the graph has on it:",
    ]
    assert any("TREATED_BY" in line and "MONDO:1" in line for line in lines)
    assert "No facts" not in answer.out


def test_facts_of_kinds_stand_where_there_is_nothing_to_say(
    cli: CommandLine, triple_graph: Path
) -> None:
    answer = cli("ask", "causes of arthropathy", "--graph", str(triple_graph))
    assert answer.code == 0, answer.err
    assert answer.out.splitlines()[:4] == [
        "arthropathy (MONDO:8): causes",
        "",
        "What the graph has on it:",
        "the graph has no causes for arthropathy (MONDO:8) itself; these are for its subclasses",
    ]
    assert "Asked by" not in answer.err


def test_explanation_shows_the_candidates_and_the_subgraph(
    cli: CommandLine, triple_graph: Path, texts: Path
) -> None:
    given = ("--texts", str(texts), "--graph", str(triple_graph), "--explain")
    answer = cli("ask", "symptoms of gout", *given)
    assert "Candidates (highest score):" in answer.out
    columns = "rank chosen weighted about covered same_kind likeness agreed rouge_l title text"
    assert columns.split() in [line.split() for line in answer.out.splitlines()]
    assert "Weighted sum: 0.061 × covered + 0.072 × same_kind + 0.062 × likeness" in answer.out
    assert "Subgraph: 3 nodes, 2 edges: gout Fever Arthritis" in answer.out
    assert "medkg query entity.subgraph entities=MONDO:1 outgoing=HAS_SYMPTOM" in answer.err
    by_rouge = cli("ask", "symptoms of gout", *given, "--selector", "rouge-l")
    assert ["rank", "chosen", "rouge_l", "title", "text"] in [
        line.split() for line in by_rouge.out.splitlines()
    ]
    assert "Weighted sum" not in by_rouge.out


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--generator", "no-such-model"), "hf download no-such-model"),
        (("--generator", "openai:m"), "OPENAI_BASE_URL is not set"),
        (("--texts", "nowhere"), "there is no index of texts"),
        (("--mode", "vector", "--texts", "texts"), "the index has no vectors"),
    ],
)
def test_what_an_answer_needs_and_is_not_there_is_named(
    cli: CommandLine, triple_graph: Path, texts: Path, wrong: tuple[str, ...], said: str
) -> None:
    there = [str(texts) if each == "texts" else each for each in wrong]
    answer = cli("ask", "symptoms of gout", *there, "--graph", str(triple_graph))
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err


def test_emergency_gets_the_advice_to_seek_help_and_no_table(
    cli: CommandLine, triple_graph: Path
) -> None:
    for question, first in (
        ("my chest hurts", "This may be an emergency"),
        ("我胸痛", "这可能是急症"),
    ):
        answer = cli("ask", question, "--graph", str(triple_graph))
        assert (answer.code, answer.out.splitlines()[1:]) == (0, [])
        assert answer.out.startswith(first)
    told = json.loads(cli("ask", "my chest hurts", "--json", "--graph", str(triple_graph)).out)
    assert (told["emergency"]["situation"], told["parts"]) == ("chest pain", [])


def test_greeting_is_told_what_can_be_asked(cli: CommandLine, triple_graph: Path) -> None:
    answer = cli("ask", "你好", "--graph", str(triple_graph))
    assert (answer.code, answer.out) == (
        0,
        "可以询问疾病、症状、药物或基因，例如：“痛风有哪些症状？”“哮喘怎么治疗？”“哮喘患者能吃阿司匹林吗？”\n",
    )


def test_question_goes_on_from_a_previous_one(cli: CommandLine, triple_graph: Path) -> None:
    given = ("--previous", "What is gout?", "--graph", str(triple_graph))
    answer = cli("ask", "and its causes?", *given)
    assert answer.out.startswith("gout (MONDO:1): causes\n")


def test_error_is_in_the_language_of_the_question(cli: CommandLine, triple_graph: Path) -> None:
    given = ("--by", "graph", "--graph", str(triple_graph))
    answer = cli("ask", "痛风的并发症", *given)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.endswith("错误：图谱中没有痛风（MONDO:1）的“并发症”\n")
    error = json.loads(cli("--json", "ask", "痛风的并发症", *given).err.splitlines()[-1])
    assert error["error"]["message"] == "图谱中没有痛风（MONDO:1）的“并发症”"


def test_language_that_is_not_there_is_refused(cli: CommandLine) -> None:
    answer = cli("ask", "gout", "--lang", "fr")
    assert answer.code == 2
    assert "there is no language 'fr'; choose one of en, zh" in answer.err


def test_model_answers_a_triple(
    cli: CommandLine, triple_graph: Path, triple_model: Artifact, tmp_path: Path
) -> None:
    save_artifact(tmp_path / "m", triple_model.card, triple_model.split, triple_model.model)
    given = ("--by", "embedding", "--model-folder", "m", "--limit", "1")
    answer = cli("ask", "causes of gout", *given, "--graph", str(triple_graph), "--json")
    assert answer.code == 0, answer.err
    [row] = json.loads(answer.out)
    assert (row["name"], row["known"]) == ("Hyperuricemia", True)


def test_missing_fact_is_an_error_that_says_what_is_missing(
    cli: CommandLine, triple_graph: Path
) -> None:
    answer = cli("ask", "causes of asthma", "--by", "graph", "--graph", str(triple_graph))
    assert answer.code == 1
    assert "there are no causes of asthma (MONDO:2) in the graph" in answer.err


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--limit", "3"), "--limit goes with --by"),
        (("--model-folder", "m"), "--model-folder goes with --by embedding"),
        (("--by", "graph", "--explain"), "--texts go without --by"),
        (("--by", "graph", "--mode", "hybrid"), "--texts go without --by"),
        (("--by", "graph", "--texts", "texts"), "--texts go without --by"),
    ],
)
def test_options_of_another_way_to_answer_are_refused(
    cli: CommandLine, wrong: tuple[str, ...], said: str
) -> None:
    answer = cli("ask", "symptoms of gout", *wrong)
    assert answer.code == 2
    assert said in answer.err


def test_triples_of_several_parts_are_one_array(cli: CommandLine, triple_graph: Path) -> None:
    given = ("--by", "graph", "--graph", str(triple_graph), "--json")
    rows = json.loads(cli("ask", "symptoms and causes of gout", *given).out)
    assert [row["name"] for row in rows] == ["Fever", "Arthritis", "Hyperuricemia"]


@pytest.mark.parametrize("given", [(), ("--by", "graph")])
def test_greeting_is_told_what_can_be_asked_by_whichever_way(
    cli: CommandLine, triple_graph: Path, given: tuple[str, ...]
) -> None:
    answer = cli("ask", "hello", *given, "--graph", str(triple_graph))
    assert answer.out.startswith("Ask about a disease, a symptom, a drug or a gene: ")


def test_explanation_shows_the_beginning_of_chinese_text(
    cli: CommandLine, triple_graph: Path, tmp_path: Path
) -> None:
    text = f"痛风的症状是发热{'，也有人说关节疼痛' * 20}。"
    documents = [Document("1", "痛风", text, "a source", "zh", {"heading": "症状"})]
    change_index(tmp_path / "texts", Change(documents=documents))
    given = ("--texts", str(tmp_path / "texts"), "--graph", str(triple_graph), "--explain")
    answer = cli("ask", "痛风有哪些症状？", *given)
    assert answer.out.count(text[:12]) == 2, "the prose, and the table"
