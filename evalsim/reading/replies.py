"""What a doctor's reply does, read by rules: asks, diagnoses, advises, sends on, declines.

A reply is cut into sentences, and each is a question or a statement; bulleted lines below a heading
("Questions:", 诊断：) are what the heading says. Findings are found by ``kg.linking`` in the questions,
diagnoses in statements, behind or before the words of ``reading.yaml`` that make a name a diagnosis.
Models write long replies in Markdown or JSON, and mix languages: the words of both are tried.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, cast, get_args

from evalsim.case import Thing
from evalsim.dialogue import Reading, Topic
from evalsim.reading.diagnoses import Diagnosis, DiagnosisReader, expression
from kg.linking.linker import Linker
from kg.linking.mention import Candidate, Mention
from kg.shipped import shipped_table
from kg.stores.store import Store
from kg.text.sentences import sentences

_LONGEST: Final = 12_000
"""Characters of a reply that are read."""
_MARKS: Final = re.compile(r"[*_`#|~>{}\[\]\"“”「」『』【】]|(?<!\w)['‘]|['’](?!\w)")
"""Of Markdown and JSON; blanks take their place, so that offsets hold."""
_JSON_LINE: Final = re.compile(r"(?<=[\]\"}0-9el]),(?=\s*[\"{\[])")
_BULLET: Final = re.compile(
    r"\s*(?:[-•·●○\u2013\u2014+]|\(?\d{1,2}[.)、:：]|[（(]\d{1,2}[)）]|[一二三四五六七八九十][、.])\s*"
)
_HEADING: Final = re.compile(
    r"^\s*(?:#{1,6}\s|\*\*[^*]{1,80}\*\*\s*[:：]?\s*$|[^.。!！?？]{1,80}[:：]\W*$)"
)
_ONE_CUE: Final = 2
"""Characters at most between "avoid" and "taking", 避免 and 使用, which are one cue."""
_FINDINGS: Final = ("Symptom", "Disease")
_TREATMENTS: Final = ("Drug", "DrugClass", "Procedure")
_GENERAL: Final = re.compile(
    r"(?:medical |drug )?(?:treatments?|therap(?:y|ies)|medic(?:ations?|ines?)|drugs?|care|procedures?|surgery|rest)"
    r"|(?:对症|药物|综合|支持|保守|一般)?(?:治疗|疗法|药物|药品|手术|护理)",
    re.IGNORECASE,
)
"""No one treatment."""
_IN_NAMES: Final[frozenset[Topic]] = frozenset(
    {"age", "duration", "severity", "place", "course", "details", "lifestyle", "tests"}
)
"""Topics whose words stand in names of findings too: exercise intolerance, 阵发性发热."""
_Section = Literal["questions", "diagnosis", "treatment", "against", "warning"]


class _Sentence(NamedTuple):
    start: int
    stop: int
    asks: bool
    section: _Section | None


class Reader:
    """Reads doctors' replies; threads may share it."""

    def __init__(self, store: Store, linker: Linker) -> None:
        """Read with the names of a graph.

        Args:
            store: the graph, for names in Chinese.
            linker: of the graph's names.
        """
        self._store, self._linker = store, linker
        table = shipped_table("evalsim.reading", "reading.yaml")
        self._questions, self._no_questions = (
            expression(table[key]) for key in ("questions", "no_questions")
        )
        self._stated, self._presupposed = (
            expression(table["stated"]),
            expression(table["presupposed"]),
        )
        self._open, self._vague = expression(table["open"]), expression(table["vague"])
        self._topics: dict[Topic, re.Pattern[str]] = {
            topic: expression(table["topics"][topic]) for topic in get_args(Topic)
        }
        presupposing = table["presupposing"]
        self._determiner = expression(presupposing["en"])
        self._has_it = expression(presupposing["known"])
        self._diagnoses = DiagnosisReader(linker, table["diagnosis"])
        self._headings = {
            section: expression(words) for section, words in table["headings"].items()
        }
        treatment = table["treatment"]
        self._advised, self._against = (
            expression(treatment["advised"]),
            expression(treatment["against"]),
        )
        self._against_after, self._taken = (
            expression(treatment[key]) for key in ("against_after", "taken")
        )
        self._urgent, self._urgent_if = (
            expression(table["urgent"][key]) for key in ("cues", "not_if")
        )
        self._unknown, self._refused = expression(table["unknown"]), expression(table["refused"])

    def read(self, text: str) -> Reading:
        """What a reply in English or Chinese does.

        Args:
            text: the reply, without what the model only thought; of more than 12,000 characters
                the rest is not read.
        """
        text = text[:_LONGEST]
        plain = _plain(text)
        if not plain.strip():
            return Reading()
        parts = list(self._parts(text, plain))
        mentions = self._linker.link(plain)
        mentions_of = _mentions_by_sentence(parts, mentions)
        questions = [part for part in parts if part.asks]
        statements = [(part, mentions_of[n]) for n, part in enumerate(parts) if not part.asks]
        mentions_asked = [
            mention
            for n, part in enumerate(parts)
            if part.asks
            for mention in self._mentions_asked(plain, part, mentions_of[n])
        ]
        findings_asked = [
            (entity, mention.text)
            for mention in mentions_asked
            if (entity := self._diagnoses.as_type(mention, "Symptom"))
        ]
        topics = tuple(self._topics_of(plain, questions, mentions_asked))
        is_open = any(self._open.search(plain, p.start, p.stop) for p in questions)
        vague = any(self._vague.search(plain, p.start, p.stop) for p in questions)
        candidates = [
            diagnosis
            for part, part_mentions in statements
            if part.section not in ("warning", "treatment", "against")
            for diagnosis in self._diagnoses.of_statement(
                plain, (part.start, part.stop), part_mentions, listed=part.section == "diagnosis"
            )
        ]
        if not candidates and not questions:
            candidates = list(self._diagnoses.of_name(text, plain, mentions))
        diagnoses = _ranked(candidates)
        advised, advised_against = self._treatments(plain, statements)
        unknown = any(self._unknown.search(plain, p.start, p.stop) for p, _ in statements)
        refused = self._refused.search(plain) is not None
        words = {m.entity.id: m.text for m in reversed(mentions) if m.entity}
        words |= {each.thing.id: each.words for each in reversed(diagnoses) if each.thing}
        words |= {
            entity.id: text_of_finding for entity, text_of_finding in reversed(findings_asked)
        }
        findings = [entity for entity, _ in findings_asked]
        diagnosed = [each.thing for each in diagnoses]
        things = self._things([*findings, *diagnosed, *advised, *advised_against], words)
        return Reading(
            asked=_distinct(things, findings),
            topics=topics,
            open=is_open,
            vague=vague and not (findings_asked or topics or is_open),
            diagnoses=_distinct(things, diagnosed),
            said_diagnosis=diagnoses[0].words if diagnoses else None,
            final=self._is_final(diagnoses, bool(questions)),
            treatments=_distinct(things, [a for a in advised if a not in advised_against]),
            advised_against=_distinct(things, advised_against),
            urgent=any(self._is_urgent(plain, part) for part, _ in statements),
            unknown=unknown and not diagnoses,
            refused=refused
            and not (diagnoses or findings_asked or questions or advised or advised_against),
        )

    def _parts(self, text: str, plain: str) -> Iterator[_Sentence]:
        """The sentences, each a question or a statement, with the heading that they are under."""
        section: _Section | None = None
        start = 0
        for line in text.splitlines(keepends=True):
            stop = start + len(line)
            bullet = _BULLET.match(plain, start, stop)
            begin = bullet.end() if bullet else start
            if not plain[start:stop].strip():
                section = section if section == "diagnosis" else None
            elif _HEADING.match(line) and (not bullet or line.rstrip().endswith((":", "："))):
                section = self._section(plain[start:stop])
            elif (
                line.rstrip().endswith((":", "："))
                and self._section(plain[start:stop]) == "diagnosis"
            ):
                section = "diagnosis"
            elif not bullet and section != "diagnosis" and not line.startswith((" ", "\t")):
                section = None
            for first, last in sentences(plain, begin, stop):
                asks = self._asks(plain, first, last, section)
                yield _Sentence(first, last, asks, section)
                if asks and last == len(plain[:stop].rstrip()) and plain[last - 1] in ":：":
                    section = "questions"
            start = stop

    def _section(self, heading: str) -> _Section | None:
        return next(
            (
                section
                for section in ("against", "warning", "questions", "diagnosis", "treatment")
                if self._headings[section].search(heading)
            ),
            None,
        )

    def _asks(self, plain: str, start: int, stop: int, section: _Section | None) -> bool:
        ends_as_question = plain[start:stop].rstrip(" )）\"'").endswith(("?", "？"))
        if (
            section == "questions"
            or ends_as_question
            or self._questions.search(plain, start, stop)
        ):
            return self._no_questions.search(plain[start:stop]) is None and (section != "warning")
        return False

    def _mentions_asked(
        self, plain: str, part: _Sentence, mentions: Sequence[Mention]
    ) -> list[Mention]:
        """The findings of a question that it does not take for granted."""
        sentence = plain[part.start : part.stop]
        if self._topics["family"].search(sentence) and not self._open.search(sentence):
            mentions = [m for m in mentions if not m.family]
        told_spans = [
            (m.start() + part.start, m.end() + part.start) for m in self._stated.finditer(sentence)
        ]
        course = self._presupposed.search(sentence) is not None
        return [
            mention
            for mention in mentions
            if mention.entity
            and mention.entity.type in _FINDINGS
            and not any(start <= mention.start < stop for start, stop in told_spans)
            and not self._is_presupposed(plain, part, mention, course)
        ]

    def _topics_of(
        self, plain: str, questions: Sequence[_Sentence], mentions_asked: Sequence[Mention]
    ) -> Iterator[Topic]:
        """The topics of questions; a word in the name of what is asked for is about no course or place."""
        for topic, cue in self._topics.items():
            matches = (m for part in questions for m in cue.finditer(plain, part.start, part.stop))
            if any(
                topic not in _IN_NAMES
                or not any(a.start <= m.start() and m.end() <= a.end for a in mentions_asked)
                for m in matches
            ):
                yield topic

    def _is_presupposed(self, plain: str, part: _Sentence, mention: Mention, course: bool) -> bool:
        text_before = plain[part.start : mention.start]
        if self._determiner.search(text_before) and not self._has_it.search(text_before):
            return True
        return course

    def _is_final(self, diagnoses: Sequence[Diagnosis], asks: bool) -> bool:
        """It commits to a diagnosis, and does not ask on; words such as "final diagnosis" do, too."""
        if not diagnoses:
            return False
        if diagnoses[0].strength == "final":
            return True
        return not asks and (diagnoses[0].strength != "tentative" or len(diagnoses) == 1)

    def _treatments(
        self, plain: str, statements: Sequence[tuple[_Sentence, list[Mention]]]
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Drugs and procedures that are advised, and those that are advised against."""
        advised: list[Candidate] = []
        advised_against: list[Candidate] = []
        for part, mentions in statements:
            sentence = plain[part.start : part.stop]
            for mention in mentions:
                entity = mention.entity
                if entity is None or entity.type not in _TREATMENTS:
                    continue
                if _GENERAL.fullmatch(mention.text):
                    continue
                text_before, text_after = (
                    sentence[: mention.start - part.start],
                    sentence[mention.end - part.start :],
                )
                if self._taken.search(text_before):
                    continue
                last_against = max(
                    (m.end() for m in self._against.finditer(text_before)), default=-1
                )
                last_advised = max(
                    (m.start() for m in self._advised.finditer(text_before)), default=-1
                )
                if (
                    (last_against >= 0 and last_against >= last_advised - _ONE_CUE)
                    or (self._against_after.search(text_after) or part.section == "against")
                    or mention.negated
                ):
                    advised_against.append(entity)
                elif (
                    last_advised >= 0
                    or part.section == "treatment"
                    or self._advised.search(text_after)
                ):
                    advised.append(entity)
        return advised, advised_against

    def _is_urgent(self, plain: str, part: _Sentence) -> bool:
        cue = self._urgent.search(plain, part.start, part.stop)
        if cue is None or part.section == "warning":
            return False
        return self._urgent_if.search(plain, part.start, part.stop) is None

    def _things(
        self, entities: Sequence[Candidate | None], words: dict[str, str]
    ) -> dict[str, Thing]:
        """By id; with their names in the graph, and the words of the reply."""
        by_id = {entity.id: entity for entity in entities if entity}
        rows = self._store.query("entity.labels", entities=list(by_id)).dicts() if by_id else ()
        chinese = {str(row["entity_id"]): row["entity_name_zh"] for row in rows}
        return {
            id_: Thing(
                id=id_,
                type=entity.type,
                name=entity.name,
                name_zh=cast(str | None, chinese.get(id_)),
                words=(words[id_],) if id_ in words else (),
            )
            for id_, entity in by_id.items()
        }


def _plain(text: str) -> str:
    """A text without the marks of Markdown and JSON, each character where it was."""
    if text.lstrip("` \njson").startswith(("{", "[")):
        text = _JSON_LINE.sub("\n", text)
    return _MARKS.sub(" ", text)


def _mentions_by_sentence(
    parts: Sequence[_Sentence], mentions: Sequence[Mention]
) -> list[list[Mention]]:
    """The mentions of each sentence."""
    mentions_of: list[list[Mention]] = [[] for _ in parts]
    starts = [part.start for part in parts]
    for mention in mentions:
        number = bisect_right(starts, mention.start) - 1
        if number >= 0:
            mentions_of[number].append(mention)
    return mentions_of


def _ranked(diagnoses: Sequence[Diagnosis]) -> list[Diagnosis]:
    """The firmest first, then as they stand; each thing once, and words only for want of a thing."""
    rank_of = {"final": 0, "committed": 1, "weak": 2, "tentative": 2}
    ranked = sorted(diagnoses, key=lambda d: (rank_of[d.strength], d.thing is None, d.start))
    seen: set[str] = set()
    distinct = []
    for each in ranked:
        key = each.thing.id if each.thing else each.words.lower()
        if key not in seen:
            seen.add(key)
            distinct.append(each)
    return distinct


def _distinct(things: dict[str, Thing], entities: Sequence[Candidate | None]) -> tuple[Thing, ...]:
    return tuple(things[id_] for id_ in dict.fromkeys(e.id for e in entities if e))
