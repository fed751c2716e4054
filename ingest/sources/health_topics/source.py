"""medkg's own health topics: what is typical of common conditions and drugs, in English and Chinese.

A topic is an entry of a YAML file in ``topics``: a condition, drug, test or procedure with its names,
lists of facts, short texts, and questions that people ask with their answers. An item of a list is ``English |
Chinese``, with its node type before it (``Organism: Salmonella Typhi | 伤寒沙门菌``) where it is not
the usual one of the list. Items stand in the order in which they are typical, which is kept as ``rank
N`` in ``evidence``; ``publications`` are the pages that the entry was compared with. A row is one
item, name, text or question.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.identity import mint
from ingest.reading import checked_yaml, text_lines
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, record_json, write_rows
from kg.errors import SourceError
from kg.progress import Progress
from kg.vocabulary import RELATION_TYPES

_SHIPPED: Final = Path(__file__).with_name("topics")
_SEPARATOR: Final = "|"

HEADINGS: Final = {
    "about": ("What is it?", "是什么病"),
    "spread": ("Is it contagious, and how does it spread?", "传染性和传播途径"),
    "self_care": ("How to treat it oneself: what to do, first aid", "自己怎么处理和护理"),
    "treatment": ("How is it treated?", "怎么治疗"),
    "outlook": ("What is the outlook?", "预后：多久能好，会不会复发，是否危险"),
    "seek_help": ("When to see a doctor", "什么时候要去医院看医生"),
    "diet": ("What to eat, and which foods to avoid", "饮食注意：吃什么，不能吃什么"),
    "children": ("In babies and children", "婴幼儿和儿童"),
    "pregnancy": ("In pregnancy and breastfeeding", "怀孕和哺乳"),
    "prevention": ("How to prevent it", "怎么预防"),
    "inheritance": ("Is it inherited?", "会不会遗传"),
    "frequency": ("How common is it?", "发病率：有多常见"),
    "alcohol": ("Alcohol with it", "能不能喝酒"),
    "driving": ("Driving with it", "能不能开车"),
    "how_it_works": ("How does it work?", "作用机制"),
    "how_to_take": ("How to take it", "怎么吃"),
}
"""Of a topic's texts by their key, in English and Chinese."""

QUESTIONS: Final = "questions"
"""The word of a section that answers a question, where others have a heading of ``HEADINGS``."""

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class HealthTopicsSource(SourceSettings, frozen=True):
    """The topics that medkg brings, or such of your own."""

    kind: Literal["health-topics"]
    name: SourceName = "health-topics"
    file: Path | None = None
    """A file of topics, or a folder of such files; those of medkg if not given."""
    uncompared: bool = False
    """Whether topics count that were compared with no page."""


class _Names(BaseModel, frozen=True, extra="forbid"):
    en: list[Text] = []
    zh: list[Text] = []


class _Both(BaseModel, frozen=True, extra="forbid"):
    en: Text
    zh: Text


class _Wordings(BaseModel, frozen=True, extra="forbid"):
    en: Annotated[list[Text], Field(min_length=1)]
    zh: Annotated[list[Text], Field(min_length=1)]


class _Question(BaseModel, frozen=True, extra="forbid"):
    ask: _Wordings
    """In which words people ask it; the first ones are its heading."""
    say: _Both


class _Topic(BaseModel, frozen=True):
    """A topic; what is no field of it is a list of items."""

    model_config = ConfigDict(extra="allow")

    type: Literal["Disease", "Symptom", "Drug", "Test", "Procedure"]
    id: Text | None = None
    en: Text
    zh: Text
    also: _Names = _Names()
    read: list[Text]
    texts: dict[Text, _Both] = {}
    questions: list[_Question] = []
    __pydantic_extra__: dict[str, list[Text | dict[str, Text]]]

    @property
    def lists(self) -> Mapping[str, Sequence[str | dict[str, str]]]:
        return self.model_extra or {}


_TOPICS: Final = TypeAdapter(list[_Topic])


class _Item(NamedTuple):
    type: str | None
    """As it is written; None: the usual one of its list."""
    en: str
    zh: str


def files(source: HealthTopicsSource) -> tuple[Path, ...]:
    """The files of topics, in a fixed order.

    Raises:
        SourceError: a folder has none.
    """
    path = source.file or _SHIPPED
    if not path.is_dir():
        return (path,)
    found = tuple(sorted(path.glob("*.yaml")))
    if not found:
        raise SourceError(
            f"{path}: no .yaml file is in it; give a folder that has files of topics"
        )
    return found


def read(
    source: HealthTopicsSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: a file is not YAML or has no such topics, or ``out`` cannot be written.
    """
    paths = files(source)
    relations = {word: mapped for word, (mapped,) in RelationMap.of(__package__).relations.items()}

    def rows() -> Iterator[Row]:
        with progress.step(translate("read {source}", source=source.name), len(paths)) as advance:
            for path in paths:
                yield from numbered(
                    row
                    for topic in _read(path)
                    for row in _rows(topic, path.name, relations, source)
                )
                advance(1)

    with published(out, source.name) as part:
        return write_rows(rows(), source.name, part)


def _read(path: Path) -> list[_Topic]:
    with text_lines(path) as lines:
        return checked_yaml(path, lines.read(), _TOPICS, shipped=path.parent == _SHIPPED)


def _about(topic: _Topic, file: str, word: str, relation: str, **fields: Any) -> Assertion:  # noqa: ANN401 -- fields of Assertion
    head = (file, 0, word, topic.id, topic.type, topic.en)
    return Assertion(*head, relation, problem=Curies().problem(topic.id), **fields)


def _rows(
    topic: _Topic, file: str, relations: Mapping[str, Mapped], source: HealthTopicsSource
) -> Iterator[Row]:
    if not topic.read and not source.uncompared:
        why = "it was compared with no page; 'uncompared: true' takes it"
        yield [Quarantined(file, 0, "topic", why, record_json({"en": topic.en, "zh": topic.zh}))]
        return
    yield from _named(topic, file)
    yield from _listed(topic, file, relations)
    yield from _told(topic, file, source.name)


def _named(topic: _Topic, file: str) -> Iterator[Row]:
    yield [_about(topic, file, "zh", "HAS_NAME", value=topic.zh, language="zh")]
    for language, names in (("en", topic.also.en), ("zh", topic.also.zh)):
        for name in names:
            yield [_about(topic, file, "also", "HAS_LAY_SYNONYM", value=name, language=language)]


def _listed(topic: _Topic, file: str, relations: Mapping[str, Mapped]) -> Iterator[Row]:
    """The items of a topic's lists, each as a fact with the rank that it has, and its Chinese name."""
    pages = _SEPARATOR.join(topic.read) or None
    for word, items in topic.lists.items():
        for rank, written in enumerate(items, 1):
            item = _item(written)
            refused = _refusal(topic, word, item, relations)
            if item is None or refused:
                record = record_json({"en": topic.en, word: written})
                yield [Quarantined(file, 0, word, str(refused), record)]
                continue
            mapped = relations[word]
            tail_type = str(item.type or mapped.tail)
            fact = _about(
                *(topic, file, word, mapped.relation),
                tail_type=tail_type,
                tail_name=item.en,
                publications=pages,
                evidence=f"rank {rank}",
            )
            tail = (file, 0, word, None, tail_type, item.en)
            yield [fact, Assertion(*tail, "HAS_NAME", value=item.zh, language="zh")]


def _told(topic: _Topic, file: str, source: str) -> Iterator[Row]:
    """The short texts and answered questions of a topic, each as a section in each language."""
    for key, text in topic.texts.items():
        if key not in HEADINGS:
            record = record_json({"en": topic.en, "texts": {key: text.en}})
            yield [Quarantined(file, 0, "texts", f"there is no heading for {key[:100]!r}", record)]
            continue
        english, chinese = HEADINGS[key]
        yield _section(topic, (file, source, "texts"), "en", [english], text.en)
        yield _section(topic, (file, source, "texts"), "zh", [chinese], text.zh)
    for question in _questions(topic):
        ask, say = question.ask, question.say
        yield _section(topic, (file, source, QUESTIONS), "en", ask.en, say.en)
        yield _section(topic, (file, source, QUESTIONS), "zh", ask.zh, say.zh)


def _questions(topic: _Topic) -> Iterator[_Question]:
    """Those of a topic, and what it is if it is a test or procedure: no query gives a profile of these."""
    if topic.type in ("Test", "Procedure") and (about := topic.texts.get("about")):
        asked = _Wordings(
            en=[f"What is {name}?" for name in (topic.en, *topic.also.en)],
            zh=[f"{name}是什么" for name in (topic.zh, *topic.also.zh)],
        )
        yield _Question(ask=asked, say=about)
    yield from topic.questions


def _section(
    topic: _Topic,
    place: tuple[str, str, str],
    language: str,
    called: Sequence[str],
    text: str,
) -> Row:
    """A section of a topic, of a file, source and word; what else it is called are its synonyms."""
    file, source, word = place
    heading, *others = called
    section = mint("Section", f"{source} {topic.type} {topic.en} {heading}")
    told = _about(
        *(topic, file, word, "HAS_SECTION"),
        tail=section,
        tail_type="Section",
        tail_name=heading,
        language=language,
        publications=_SEPARATOR.join(topic.read) or None,
    )
    named = (file, 0, word, section, "Section", heading)
    return [
        told,
        Assertion(*named, "HAS_NAME", value=heading, language=language),
        *(Assertion(*named, "HAS_SYNONYM", value=each, language=language) for each in others),
        Assertion(*named, "HAS_TEXT", value=text, language=language),
    ]


def _item(written: str | dict[str, str]) -> _Item | None:
    """An item in its parts; None if it has not exactly one name in each language."""
    type_ = None
    if not isinstance(written, str):
        if len(written) != 1:
            return None
        ((type_, written),) = written.items()
    names = [name.strip() for name in written.split(_SEPARATOR)]
    return _Item(type_, *names) if len(names) == 2 and all(names) else None  # noqa: PLR2004


def _refusal(
    topic: _Topic, word: str, item: _Item | None, relations: Mapping[str, Mapped]
) -> str | None:
    """Why an item states nothing."""
    if item is None:
        return "an item is 'English | Chinese', with one type before it or none"
    mapped = relations.get(word)
    if mapped is None or word == "texts":
        return f"a topic has no list {word[:100]!r}"
    relation = RELATION_TYPES[mapped.relation]
    if topic.type not in relation.domain:
        return f"a {topic.type} has no {word}"
    tail_type = item.type or mapped.tail
    if tail_type is None:
        return f"an item of {word} needs a type before it"
    if tail_type not in relation.range:
        return f"{mapped.relation} takes no {tail_type[:100]}"
    return None


KIND: Final = SourceKind(
    title="medkg's health topics: what is typical of common conditions and drugs, in English and Chinese",
    licence=(
        "that of medkg; facts in its own words, written by a language model and compared by it with the "
        "public pages that each entry names; no physician checked them"
    ),
    citation="medkg",
    needs=(),
    obtained="nothing to do: it comes with medkg",
    files=files,
    read=read,
)
