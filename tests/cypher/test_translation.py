"""The languages: what people read is there in each, and a file of one is checked."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import pytest

from cypher import free_query, load_catalogue
from cypher.errors import MedKGError
from cypher.functions import _ANY_ORDER, LAST_DIGITS, OTHER_FORMS
from cypher.guide import pictures
from cypher.header import Severity
from cypher.lint import lint
from cypher.listing import HEAD
from cypher.translation import (
    FOLDER,
    Language,
    known_language,
    language,
    language_of,
    language_of_environment,
    languages,
    read_language,
    speaking,
    title,
    translate,
)
from cypher.values import _HINTS
from cypher.vocabulary import Kind
from ingest.clinical_picture import _ASPECTS, _COMBINED
from ingest.configuration import _MESSAGES
from ingest.disease_view import _CATEGORIES
from ingest.equivalence import Reason
from ingest.identity import NameRule, Rule, Why
from ingest.links import Outcome
from ingest.names import KnownBy
from ingest.quarantine import TEMPLATES
from ingest.reading import _NO_TEXT, _SEPARATORS
from ingest.report import _STATIC
from ingest.sources import SOURCES
from ingest.sources.listing import settings
from kg.commands import main
from kg.commands.demo import BEFORE, NEXT
from kg.commands.help import paragraphs_of
from kg.commands.shell import _HELP
from kg.linking.mention import Method
from kg.stores.answers import QUERY_VOCABULARY
from kg.stores.neo4j_errors import _ADVICE
from kg.text.spelling import simplified_text
from kg.vocabulary import LANGUAGES, NODE_TYPES, RELATION_TYPES
from qa.intents import INTENTS, UNSAID
from qa.ordering import BY_COMMONNESS, BY_DRUGS, BY_FIT, BY_FREQUENCY, BY_SOURCES
from qa.selection import Reason as Choice

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = ("cypher", "kg", "ingest", "qa", "evalsim")
TEMPLATE = REPOSITORY / "ingest" / "report.html.jinja"
TRANSLATED = [code for code in languages() if code != "en"]


def texts_in_code() -> Iterator[str]:
    """The texts that calls of ``translate`` name, also by a variable of their function."""
    for package in PACKAGES:
        for path in sorted((REPOSITORY / package).rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    yield from texts_of(function)


def _assigned(function: ast.FunctionDef) -> dict[str, list[str]]:
    """The texts that the variables of a function may be."""
    texts: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    texts.setdefault(target.id, []).extend(_alternatives(node.value))
    return texts


def texts_of(function: ast.FunctionDef) -> Iterator[str]:
    constants = _assigned(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "breach":
            for each in node.args[1:3]:
                own = constants.get(each.id, []) if isinstance(each, ast.Name) else ()
                yield from filter(_PROSE.search, (*own, *_alternatives(each)))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "step":
            yield from (
                str(each.value) for each in node.args[:1] if isinstance(each, ast.Constant)
            )
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "translate":
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)
            elif isinstance(node.args[0], ast.Name):
                yield from constants.get(node.args[0].id, [])


_PROSE = re.compile(r"\b[a-z]+ [a-z]+\b")
"""Two words, which Cypher alone has not."""


def _alternatives(value: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(value, ast.IfExp):
        yield from (*_alternatives(value.body), *_alternatives(value.orelse))
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value


def texts_of_the_report_page() -> Iterator[str]:
    template = TEMPLATE.read_text(encoding="utf-8")
    yield from (static["text"] or static["label"] for static in _STATIC.finditer(template))
    yield from re.findall(r'(?:\b_|heading|chart)\("([^"]+)"(?=[,)])', template)


def texts_of_help(command: click.Command = main) -> Iterator[str]:
    """The paragraphs of the help of a command, its options, and of all below it."""
    yield from paragraphs_of(command)
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from texts_of_help(below)


def texts_of_the_page_of_answers() -> Iterator[str]:
    for template in sorted((REPOSITORY / "qa" / "page" / "templates").iterdir()):
        yield from re.findall(r'\b_\("([^"]+)"', template.read_text(encoding="utf-8"))


def words_of_values() -> Iterator[str]:
    """What cells of tables and titles are translated from, where the code has a closed list."""
    for each in (Method, Outcome, NameRule, KnownBy, Reason, Why, Severity, Choice):
        yield from get_args(each)
    for rule in get_args(Rule):
        yield from get_args(rule) or (rule,)
    yield from (category.name for category in _CATEGORIES)
    for kind, aspects in _ASPECTS.items():
        yield from (*(aspect.name for aspect in aspects), *_COMBINED[kind])
        yield f"Clinical picture of common {kind.lower()}s"
        yield f"The graph has none of the {{listed}} commonest {kind.lower()}s."
        yield f"The graph has {{found}} of the {{listed}} commonest {kind.lower()}s."
    yield from LANGUAGES
    for kind, source in SOURCES.items():
        about = (source.title, source.licence, source.obtained, *source.needs)
        yield from filter(_PROSE.search, about)
        yield from (setting.about for setting in settings(kind))
    for heading, commands in NEXT.items():
        yield from (heading, *filter(None, commands.values()))
    yield from (*BEFORE, *_HINTS.values(), *(what for _, what in _HELP))
    yield from _ADVICE.values()
    yield from filter(_PROSE.search, OTHER_FORMS.values())
    yield from (LAST_DIGITS, _ANY_ORDER, *get_args(Kind))
    yield from (*_MESSAGES.values(), *_SEPARATORS.values(), *_NO_TEXT.values())
    yield from (
        BY_SOURCES,
        BY_COMMONNESS,
        BY_FREQUENCY,
        BY_DRUGS,
        BY_FIT,
        "True",
        "False",
        "read",
        "merge",
        *TEMPLATES,
    )
    for rule_file in (REPOSITORY / "cypher" / "rules").glob("*.cypher"):
        yield from re.findall(r"'([^']+)' AS reason", rule_file.read_text(encoding="utf-8"))
    yield from (" ".join(paragraph.split()) for paragraph in HEAD.strip().split("\n\n"))
    for query in load_catalogue():
        for parameter in query.parameters:
            yield from (parameter.type, parameter.about.partition(", e.g. ")[0])
    asked = [query for query in load_catalogue() if "neo4j" in query.engines]
    yield "Embedded only"
    yield from (query.topic.replace("_", " ").capitalize() for query in asked)


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_language_has_every_text(code: str) -> None:
    known = language(code)
    in_page = {*texts_of_the_report_page()} - known.titles["columns"].keys()
    needed = {
        *texts_in_code(),
        *words_of_values(),
        *in_page,
        *texts_of_the_page_of_answers(),
        *texts_of_help(),
    }
    assert len(needed) > 100
    assert sorted(needed - known.texts.keys()) == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_language_has_every_title(code: str) -> None:
    titles = language(code).titles
    queries = [*load_catalogue(), *pictures()]
    assert titles["queries"].keys() == {query.name for query in queries}
    assert titles["relations"].keys() == RELATION_TYPES.keys()
    assert titles["types"].keys() == NODE_TYPES.keys()
    assert titles["headings"].keys() == {intent.heading for intent in (*INTENTS, *UNSAID)}
    columns = {column.name for query in queries for column in query.columns}
    assert sorted(columns - titles["columns"].keys()) == []


def test_chinese_is_written_in_simplified_characters_and_full_width_punctuation() -> None:
    text = (FOLDER / "zh.yaml").read_text(encoding="utf-8")
    lines = [line.rpartition('": ')[2] for line in text.splitlines() if "#" not in line]
    assert [line for line in lines if re.search("[\u4e00-\u9fff][,;:?!]", line)] == []
    assert [line for line in lines if simplified_text(line) != line] == []


def test_a_text_is_said_in_the_language_that_is_spoken_and_in_english_elsewhere() -> None:
    with speaking("zh"):
        assert translate("{count} rows", count=3) == "3 行"
        assert title("columns", "disease_id") == "疾病编码"
        assert translate("nobody translated {this}", this="{so}") == "nobody translated {so}"
        with speaking("en"):
            assert translate("{count} rows", count=3) == "3 rows"
    assert title("columns", "disease_id") == "disease_id"


GOOD = 'name: Deutsch\ntexts:\n  "{count} rows": "{count} Zeilen"\ncolumns:\n  disease_id: Krankheit\n'


def test_another_language_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "de.yaml").write_text(GOOD, encoding="utf-8")
    titles = {"columns": {"disease_id": "Krankheit"}}
    expected = Language("de", "Deutsch", {"{count} rows": "{count} Zeilen"}, titles)
    assert read_language(tmp_path / "de.yaml") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no name; write"),
        ("- a\n", "has no name; write"),
        ("name: Deutsch\ntext: {}\n", "no section is 'text'; known are texts, columns"),
        ("name: Deutsch\ntexts:\n", "texts: has no lines"),
        ("name: Deutsch\ntexts:\n  a: 1\n", "texts: 'a' or what it becomes is no text"),
        ("name: Deutsch\ntexts:\n  on: an\n", "texts: True or what it becomes is no text"),
        (GOOD.replace("{count} Zeilen", "{zahl} Zeilen"), "has not the values in braces of"),
        (GOOD.replace("{count} Zeilen", "Zeilen"), "has not the values in braces of"),
        ("name: [\n", "not YAML in UTF-8"),
        ("name: Deutsch\xff", "not YAML in UTF-8"),
    ],
)
def test_a_bad_file_is_one_sentence_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "de.yaml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(MedKGError) as caught:
        read_language(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh", "zh"),
        ("zh_CN.UTF-8", "zh"),
        ("ZH-Hant-TW", "zh"),
        ("en_GB", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("fr_FR", None),
        ("", None),
        ("../zh", None),
    ],
)
def test_a_language_is_known_by_tag_and_locale(tag: str, code: str | None) -> None:
    assert known_language(tag) == code


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "en_US", "LANGUAGE": "fr:zh_CN:en"}, "zh"),
        ({"LANG": "fr_FR"}, "en"),
        ({"LANG": ""}, "en"),
    ],
)
def test_the_environment_is_read_as_gettext_does(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], code: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of_environment() == code


@pytest.mark.parametrize(
    ("text", "locale", "code"),
    [
        ("痛风有什么症状", "en_US", "zh"),
        ("CT 檢查", "C", "zh"),
        ("symptoms of gout", "zh_CN", "en"),
        ("symptoms of gout", "en_US", "en"),
        ("39.1 ?", "zh_CN", "zh"),
        ("", "C", "en"),
    ],
)
def test_the_language_of_a_text_is_chinese_if_it_has_a_chinese_character(
    monkeypatch: pytest.MonkeyPatch, text: str, locale: str, code: str
) -> None:
    monkeypatch.setenv("LANG", locale)
    assert language_of(text) == code


def test_what_a_statement_should_not_say_is_told_in_the_language_that_is_spoken() -> None:
    text = "MATCH (d:Disease)-[:HAS_SYMPTOM]->(s) RETURN s.name, count(d) AS n ORDER BY n LIMIT 5"
    with speaking("zh"):
        tied = lint(free_query(text, {}), QUERY_VOCABULARY)
        lower = lint(
            free_query("MATCH (d:Disease) RETURN toLower(d.name) AS n", {}), QUERY_VOCABULARY
        )
    assert ("排序可能有并列，因为它不能确定 s.name", "ORDER BY …，并加上所匹配各项的编码") in [
        (finding.what, finding.instead) for finding in tied
    ]
    assert [finding.what for finding in lower] == ["tolower() 在两种引擎中不同"]


def test_no_part_of_what_a_statement_should_not_say_is_made_without_a_translation() -> None:
    made = [
        f"{path.name}, line {node.lineno}"
        for path in sorted((REPOSITORY / "cypher").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        if getattr(node.func, "attr", "") in {"breach", "Breach"}
        if any(isinstance(each, ast.JoinedStr) for each in node.args)
    ]
    assert made == []
