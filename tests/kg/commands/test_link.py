import json
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.tables import GraphTables
from tests.kg.commands.linked_names import PYSBD, ids, lines, medkg, write_names


@pytest.fixture
def names(tmp_path: Path) -> Path:
    return write_names(tmp_path)


# --- one text -----------------------------------------------------------------------------


def test_a_text_gives_a_table(names: Path) -> None:
    result = medkg("link", "no fever; mother had a heart attack", "--names", names)
    header, _, *rows = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert header == [
        *("mention", "entity", "name", "type", "CUIs", "score", "method", "negated", "family")
    ]
    assert rows == [
        ["fever", "HP:0001945", "fever", "Symptom", "C0015967", "1", "exact", "yes"],
        [
            *("heart", "attack", "MONDO:0005068", "myocardial", "infarction", "Disease"),
            *("C0027051", "1", "exact", "yes"),
        ],
    ]
    assert result.exit_code == 0


def test_a_text_as_json_says_where_and_what_else(names: Path) -> None:
    result = medkg("link", "患者没有发热", "--names", names, "--json")
    said = json.loads(result.stdout)
    assert said["text"] == "患者没有发热"
    (mention,) = said["mentions"]
    assert (mention["start"], mention["end"], mention["negated"]) == (4, 6, True)
    assert mention["entity"] == mention["candidates"][0]
    assert mention["entity"]["matched"] == "发热"


def test_a_chinese_text_gives_a_chinese_table(names: Path) -> None:
    result = medkg("link", "患者没有发热", "--names", names)
    header, _, *rows = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert header == ["提及", "实体", "名称", "类型", "CUI", "得分", "方法", "否定", "家族史"]
    assert rows == [["发热", "HP:0001945", "发热", "症状", "C0015967", "1", "完全一致", "是"]]
    assert result.stderr.endswith("1 行\n")


def test_the_language_of_a_mention_can_be_given(names: Path) -> None:
    result = medkg("link", "--mention", "fever", "--names", names, "--lang", "zh", "--limit", "1")
    _, _, row = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert row == ["HP:0001945", "发热", "症状", "C0015967", "1", "fever", "英文"]
    assert result.stderr.endswith("已链接到 HP:0001945（完全一致）。\n")
    english = medkg("link", "患者没有发热", "--names", names, "--lang", "en")
    assert english.stdout.split()[:2] == ["mention", "entity"]


def test_words_are_one_text(names: Path) -> None:
    result = medkg("link", "heart", "attack", "--names", names, "--json")
    assert ids(json.loads(result.stdout)) == ["MONDO:0005068"]


def test_a_name_of_two_is_shown_and_not_linked(names: Path) -> None:
    result = medkg("link", "borreliosis or flu", "--names", names)
    assert "1 not linked: no name is similar enough, or several entities" in result.stderr
    (row,) = [line.split() for line in result.stdout.splitlines() if "borreliosis" in line]
    assert row == ["borreliosis"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "nothing known", "🤒🇨🇭", "\x1b[31m\x07", "\udcff", "x" * 100_000, "\u0430" * 99],
)
def test_a_text_without_mentions_is_no_error(names: Path, text: str) -> None:
    for option in ([], ["--json"]):
        result = medkg("link", text, "--names", names, *option)
        assert (result.exit_code, "\x1b" in result.stdout) == (0, False)


def test_a_mention_shows_its_candidates(names: Path) -> None:
    result = medkg("link", "--mention", "myocardial infraction", "--names", names)
    first = [line.split() for line in result.stdout.splitlines() if line.strip()][2]
    assert first[:5] == ["MONDO:0005068", "myocardial", "infarction", "Disease", "C0027051"]
    assert first[-3:] == ["myocardial", "infarction", "en"]
    assert "Linked with MONDO:0005068 (" in result.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("borreliosis", "Not linked: several entities have this name."),
        (
            "influenza vaccine",
            "Not linked: the most similar name is not similar enough to be sure.",
        ),
        ("?", "Not linked: no name is similar."),
    ],
)
def test_a_mention_that_is_not_linked_says_so(names: Path, text: str, says: str) -> None:
    result = medkg("link", "--mention", text, "--names", names)
    assert (result.exit_code, says in result.stderr) == (0, True)


def test_types_and_limit_and_threshold_reach_the_linker(names: Path) -> None:
    def found(*options: str) -> dict[str, Any]:
        result = medkg("link", "fevers of flu", "--names", names, "--json", *options)
        return dict(json.loads(result.stdout))

    assert ids(found()) == ["HP:0001945", "MONDO:0005812"]
    assert ids(found("--types", "Disease")) == ["MONDO:0005812"]
    assert ids(found("--types", " Symptom, Disease ")) == ["HP:0001945", "MONDO:0005812"]
    result = medkg("link", "--mention", "influensa", "--names", names, "--limit", "2", "--json")
    assert len(json.loads(result.stdout)["mentions"][0]["candidates"]) == 2
    for least, linked in (("0.5", True), ("1", False)):
        options = ("--names", names, "--threshold", least, "--json")
        said = json.loads(medkg("link", "--mention", "influensa", *options).stdout)
        assert said["mentions"][0]["linked"] is linked


def test_exact_finds_no_misspelt_name(names: Path) -> None:
    text = ("link", "an influensa", "--names", names, "--json")
    assert ids(json.loads(medkg(*text).stdout)) == ["MONDO:0005812"]
    assert ids(json.loads(medkg(*text, "--exact").stdout)) == []


# --- the graph ----------------------------------------------------------------------------


def test_the_graph_is_linked_with_and_its_index_kept(graph_file: Path) -> None:
    def found() -> list[str | None]:
        return ids(json.loads(medkg("link", "gout with cough", "--json").stdout))

    assert found() == ["D:1", "S:2"]
    [index] = (graph_file.parent / "linking").glob("*/index.json")
    made = index.stat().st_mtime_ns
    assert found() == ["D:1", "S:2"]
    assert index.stat().st_mtime_ns == made
    moved = graph_file.rename(graph_file.parent.parent / "other.lbug")
    result = medkg("link", "gout", "--json", "--graph", moved)
    assert ids(json.loads(result.stdout)) == ["D:1"]


@pytest.mark.usefixtures("graph_file")
def test_a_layer_makes_the_index_anew(layer: Path) -> None:
    assert ids(json.loads(medkg("link", "fever", "--json").stdout)) == []
    assert medkg("layers", "apply", layer).exit_code == 0
    assert ids(json.loads(medkg("link", "fever", "--json").stdout)) == ["S:3"]


@pytest.mark.neo4j
@pytest.mark.usefixtures("neo4j_environment")
def test_a_graph_on_neo4j_is_linked_with(graph_file: Path) -> None:
    with kg.connect() as store:
        store.load(GraphTables(graph_file.parent / "tables"))
    assert ids(json.loads(medkg("link", "gout with cough", "--json").stdout)) == ["D:1", "S:2"]


@pytest.mark.filterwarnings(PYSBD)
def test_spacy_links_with_the_graph_of_the_settings(graph_file: Path) -> None:
    nlp = pytest.importorskip("spacy").blank("en")
    nlp.add_pipe("medkg_linker")
    assert [entity.kb_id_ for entity in nlp("gout, cough").ents] == ["D:1", "S:2"]
    assert list((graph_file.parent / "linking").glob("*/index.json"))


# --- wrong use ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["flu", "--file", "names.csv"], "--file and TEXT exclude each other; give one"),
        (["flu", "--names", "names.csv", "--graph", "a.lbug"], "--names and --graph exclude each"),
        (["flu", "--mention", "--recogniser", "x"], "--mention and --recogniser exclude each"),
        (["flu", "--evaluate", "names.csv"], "--evaluate and TEXT exclude each other"),
        (["--mention", "--evaluate", "names.csv"], "--evaluate and --mention exclude each"),
        (["--limit", "3", "--evaluate", "names.csv"], "--evaluate and --limit exclude each"),
        (["flu", "--mention", "--exact"], "with --mention use --threshold 1 to get exact names"),
        (["flu", "--recogniser", "x", "--exact"], "with --recogniser use --threshold 1 to get"),
        (["flu", "--lines", "text"], "--lines is about the lines of --file or stdin, not of TEXT"),
        (["--file", "no.txt"], "File 'no.txt' does not exist"),
        (["--file", "."], "File '.' is a directory"),
        (["flu", "--names", "no.csv"], "File 'no.csv' does not exist"),
        (["flu", "--threshold", "2"], "2.0 is not in the range 0<=x<=1"),
        (["flu", "--threshold", "nan"], "nan is no score; give one from 0 to 1"),
        (["flu", "--limit", "0"], "0 is not in the range x>=1"),
        (["flu", "--scorer", "Ratio"], "there is no 'Ratio'; choose one of WRatio, QRatio"),
        (["flu", "--types", " ,"], "empty; write one or more items, separated by commas"),
        (
            ["flu", "--names", "names.csv", "--types", "Disease,Virus"],
            "--types: nothing here is a 'Virus'; there are Disease, Symptom",
        ),
    ],
)
@pytest.mark.usefixtures("names")
def test_wrong_use_is_exit_2_with_a_sentence(arguments: list[str], message: str) -> None:
    result = medkg("link", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


def test_nothing_to_link_on_a_terminal_is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.commands.link._on_a_terminal", lambda: True)
    result = medkg("link")
    assert result.exit_code == 2
    assert 'nothing to link; give a text (medkg link "dry cough"), --file, or' in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "names.csv: cannot be read"),
        (
            "id,type,name\n",
            "names.csv: has no column 'language' but id, type, name; a table of names needs id",
        ),
        (
            "id,type,name,language\n",
            "there is no name to index; no name in the table has a letter",
        ),
        (
            "id,type,name,language\nD:1,Disease,flu,de\n",
            "names.csv, row 1: 'de' is not a language",
        ),
    ],
)
def test_a_bad_table_of_names_is_one_sentence(names: Path, content: str, message: str) -> None:
    names.write_text(content)
    result = medkg("link", "flu", "--names", names)
    assert (result.exit_code, message in result.stderr) == (1, True)


def test_without_a_graph_it_says_how_to_make_one() -> None:
    result = medkg("link", "flu")
    assert result.exit_code == 1
    assert "medkg build" in result.stderr


# --- recogniser and evaluation ------------------------------------------------------------


@pytest.fixture
def recogniser(tmp_path: Path) -> Path:
    """A pipeline that takes 'flu' and 'grippe' for mentions."""
    nlp = pytest.importorskip("spacy").blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": "D", "pattern": text} for text in ("flu", "grippe")]
    )
    nlp.to_disk(tmp_path / "recogniser")
    return tmp_path / "recogniser"


@pytest.mark.filterwarnings(PYSBD)
def test_a_recogniser_finds_the_mentions(names: Path, recogniser: Path) -> None:
    options = ("--names", names, "--recogniser", recogniser)
    said = json.loads(medkg("link", "no flu, grippe or fever", *options, "--json").stdout)
    assert [each["text"] for each in said["mentions"]] == ["flu", "grippe"]
    assert ids(said)[0] == "MONDO:0005812"


@pytest.mark.filterwarnings(PYSBD)
def test_a_line_too_long_for_the_recogniser_is_broken_alone(names: Path, recogniser: Path) -> None:
    options = ("--names", names, "--recogniser", recogniser)
    result = medkg("link", "-", *options, stdin="x" * 1_000_001 + "\nflu\n")
    first, second = lines(result)
    assert "takes 1,000,000; cut it into paragraphs" in first["error"]
    assert (ids(second), result.exit_code) == (["MONDO:0005812"], 1)


def test_a_missing_recogniser_is_one_sentence(names: Path) -> None:
    result = medkg("link", "flu", "--names", names, "--recogniser", "en_core_sci_sm")
    assert result.exit_code == 1
    assert "'en_core_sci_sm' is neither an installed spaCy pipeline nor a folder" in result.stderr


GOLD = [
    {"text": "no fever, but flu", "mentions": [{"start": 3, "end": 8, "ids": ["HP:0001945"]}]},
    {"mention": "heart atack", "ids": ["C0027051"], "type": "Disease"},
]


def test_evaluation_shows_its_tables(names: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("\n".join(map(json.dumps, GOLD)), encoding="utf-8")
    shown = medkg("link", "--evaluate", gold, "--names", names)
    titles = [line for line in shown.stdout.splitlines() if line and " " not in line]
    assert (shown.exit_code, titles) == (0, ["recognition", "linking", "mentions", "abstaining"])
    said = json.loads(medkg("link", "--evaluate", gold, "--names", names, "--json").stdout)
    (all_exact, *_) = [row for row in said["recognition"] if row["group"] == "all"]
    precision = all_exact["retrieval"]["precision"]
    assert (precision["right"], precision["of"]) == (1, 2)


@pytest.mark.filterwarnings(PYSBD)
def test_a_recogniser_is_evaluated_too(names: Path, recogniser: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(GOLD[0]), encoding="utf-8")
    options = ("--names", names, "--recogniser", recogniser, "--json")
    said = json.loads(medkg("link", "--evaluate", gold, *options).stdout)
    recall = said["recognition"][0]["retrieval"]["recall"]
    assert (recall["right"], recall["of"]) == (0, 1)


def test_a_bad_gold_file_is_one_sentence(names: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"mention": "flu", "ids": ["x"]}\n')
    result = medkg("link", "--evaluate", gold, "--names", names)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{gold}, line 1: " in result.stderr
