"""Reads a question: its parts, what each speaks of and asks for, as query and as triples.

A part is read as one or more things that it may mean. Each is a named query with its arguments, or
a triple with one part missing (joint-reasoning paper, appendix F1), or both; ``qa.facts`` answers
it. The words that ask are those of ``qa.intents``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from cypher.translation import CHINESE, ENGLISH, language_of, speaking, title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from kg.text.spelling import is_word, simplified_text
from qa.clauses import PRONOUN, Clause, clauses, content, in_short, is_greeting, segments
from qa.emergencies import find_emergency
from qa.intent import Intent, Kind, in_any_words
from qa.intents import INTENTS, OUT_OF_SCOPE, UNSAID
from qa.pairs import SHARED, pairs
from qa.populations import GROUPS, diseases_of, people_of
from qa.presentations import described
from qa.question import (
    DIFFERENTIAL,
    NoEntityError,
    NoRelationError,
    Part,
    Question,
    Reading,
    Triple,
)
from qa.subjects import (
    Fit,
    Subject,
    fits,
    named_with_types,
    nearest_names,
    read_question,
    share_of_names,
    with_misspelt,
    without_relation_words,
)
from qa.wordings import SLOT, About, worded

LONGEST: Final = 2_000
"""Characters of a question at most."""
LEAST_FIT: Final = 0.34
"""``Question.fit`` below which a question is taken to be about something else."""
_LEAST_FIT_TO_TREAT: Final = 0.55
"""The same where it tells more than findings and asks what helps: what helps with an itch is wrong for what
chilblains have besides."""
_LEAST_FIT_OF_A_DRUG: Final = 0.2
"""The same where it names a drug and asks what is asked of drugs alone."""


def read(
    text: str, linker: Linker, previous: Question | None = None, *, least_fit: float = LEAST_FIT
) -> Question:
    """Read a question in English or Chinese.

    Args:
        text: as a person would ask; several questions may be in it.
        linker: of the graph's names; finds what the question speaks of.
        previous: the question before; what it is about is what "it" and 它 mean, and a question
            that names nothing.
        least_fit: ``Question.fit`` below which it is taken to be about something else.

    Raises:
        QuestionError: it has no words, or more than 2,000 characters.
    """
    language = CHINESE if language_of(text) == CHINESE else ENGLISH
    if emergency := find_emergency(text):
        return Question(text, language, (), 0.0, emergency=emergency)
    if len(text) > LONGEST:
        raise QuestionError(
            translate(
                "'{question}' has {count} characters; ask in {most} at most",
                question=in_short(text),
                count=len(text),
                most=LONGEST,
            )
        )
    if is_greeting(text):
        return Question(text, language, (), 0.0, greeting=True)
    if not re.search(r"\w", text):
        raise NoEntityError(
            translate(
                "'{question}' has no words; ask for example 'What are the symptoms of gout?'",
                question=in_short(text),
            )
        )
    reader = _Reader(text, linker, previous.subjects if previous else (), least_fit)
    return Question(text, language, tuple(reader.parts()), reader.fit)


class _Reader:
    """One question while it is read."""

    def __init__(
        self, text: str, linker: Linker, previous: Iterable[Subject], least_fit: float
    ) -> None:
        self._linker = linker
        self._least_fit = least_fit
        self._asked = in_short(text)
        self._read, found = read_question(text, linker)
        found = without_relation_words(self._read, found, _ALL)
        subjects, self._unknown = with_misspelt(self._read, found, linker)
        self._subjects = self._with_people(subjects)
        self._words = _without_names(self._read, self._subjects)
        self._previous = [replace(subject, start=-1, end=-1) for subject in previous]
        self._content = content(_without_asking_words(self._words))
        self._written = text
        self.fit = share_of_names(self._read, self._subjects, self._content)

    def _with_people(self, subjects: list[Subject]) -> list[Subject]:
        """With the people that it is about, and the diseases of theirs that it may mean."""
        known = {subject.id for subject in subjects}
        theirs = [*diseases_of(self._read, subjects, self._linker)]
        people = [each for each in people_of(self._read, self._linker) if each.id not in known]
        free = [
            each
            for each in people
            if all(
                (s.start, s.end) == (each.start, each.end)
                or s.end <= each.start
                or each.end <= s.start
                for s in subjects
            )
        ]
        within = [s for s in subjects if s.type in ("Disease", "Symptom", "Population")]
        for each in people:  # "pregnancy" is named as a condition, too
            around = next((s for s in within if s.start < each.end and each.start < s.end), None)
            if around and each not in free and "pregnan" in self._read[around.start : around.end]:
                free.append(replace(each, start=around.start, end=around.end))
        return sorted([*theirs, *subjects, *free], key=lambda s: s.start)

    def parts(self) -> Iterator[Part]:
        """What is asked, each once."""
        if typical := self._typical():
            yield from typical
            return
        for start, end in self._unknown:
            name = self._read[start:end]
            yield self._unread(self._words, (), NoEntityError(self._not_known(name)), name)
        if _OF_ANIMALS.search(self._read):
            said = "'{question}' is about an animal; this graph is of human medicine"
            animal = NoEntityError(translate(said, question=self._asked))
            yield self._unread(self._words, (), animal)
            return
        least = (
            max(self._least_fit, _LEAST_FIT_TO_TREAT) if self._asks_relief() else self._least_fit
        )
        if (
            self._subjects
            and self.fit < least
            and not (self._asks_of_a_drug() or self._asks_of_a_disease())
        ):
            why = "of everything that '{question}' mentions, this graph knows only {names}; ask about that alone"
            names = named_with_types(self._subjects, self._linker)
            problem = NoEntityError(translate(why, question=self._asked, names=names))
            yield self._unread(self._words, self._subjects, problem)
            return
        open_ = PRONOUN.search(self._words) is not None or not self._content or self._goes_on()
        if not self._subjects and not (self._previous and open_):
            if not self._unknown:
                yield self._unread(self._words, (), self._nothing_named(leaves_open=open_))
            return
        once: dict[tuple[str, ...], Part] = {}
        complaints = self._complaints()
        for part in [complaints] if complaints else self._parts():
            once.setdefault(part.asks_for, part)
        parts = list(once.values())
        if not parts and not self._unknown:
            problem = self._nothing_named(leaves_open=not self._subjects)
            parts = [self._unread(self._words, self._subjects, problem)]
        yield from parts if len(parts) > 1 else (replace(part, text=self._read) for part in parts)

    def _asks_of_a_drug(self) -> bool:
        """Whether it names a drug, and asks what is asked of drugs in so many words, beside what it tells."""
        if self.fit < _LEAST_FIT_OF_A_DRUG or OUT_OF_SCOPE.search(self._words):
            return False
        of_drugs = (i for i in INTENTS if list(i.subjects.values()) == [("Drug",)])
        named = any(subject.type == "Drug" for subject in self._subjects)
        return named and any(intent.is_asked_by(self._words) for intent in of_drugs)

    def _asks_of_a_disease(self) -> bool:
        """Whether a clause asks what is asked of diseases, of one that it names or that was named, whatever is told beside it.

        Or of a finding, which the clause itself has to name.
        """
        if OUT_OF_SCOPE.search(self._words):
            return False
        of_diseases = [i for i in INTENTS if "Disease" in next(iter(i.subjects.values()))]
        told: list[Subject] = []
        for clause in clauses(self._words):
            own = [s for s in self._within(clause) if s.type == "Disease" and not s.denied]
            told = own or told
            asked = [i for i in of_diseases if clause.is_question and i.is_asked_by(clause.words)]
            about = told
            if not told and any("Symptom" in next(iter(i.subjects.values())) for i in asked):
                about = [s for s in self._within(clause) if s.type == "Symptom" and not s.denied]
            other = content(_without_asking_words(clause.words))
            if asked and about and share_of_names(self._read, about, other) >= self._least_fit:
                return True
        return False

    def _asks_relief(self) -> bool:
        """Whether it names findings and no disease or drug, and asks what to take or do for them."""
        types = {subject.type for subject in self._subjects}
        asked = (i for i in INTENTS if i.kind == "treatment" and i.is_asked_by(self._words))
        return "Symptom" in types and types.isdisjoint(("Disease", "Drug")) and any(asked)

    def _goes_on(self) -> bool:
        """Whether it asks in words that are known and names nothing: 要做哪些检查才知道."""
        rest = self._content.split()
        words = all(is_word(word) if word.isascii() else len(word) <= _SHORT for word in rest)
        asks = any(self._asks(clause) for clause in clauses(self._words))
        return bool(self._previous) and asks and words and len(rest) <= _FEW

    def _typical(self) -> list[Part]:
        """What is asked of a disease that the question describes and does not name."""
        asking = [each for each in clauses(self._words) if each.is_question or self._asks(each)]
        elsewhere = any(OUT_OF_SCOPE.search(self._text(clause)) for clause in asking)
        if elsewhere or _OF_ANIMALS.search(self._read):
            return []
        about = self.fit >= self._least_fit
        subjects = described(
            self._written, self._content, self._subjects, self._linker, is_about_them=about
        )
        if not subjects:
            return []
        named = {subject.id for subject in self._subjects}
        facts = [
            Reading.of(fit) for fit in fits("", subjects, INTENTS) if fit.intent.heading == _FACTS
        ]
        told = (*subjects, *(s for s in self._subjects if s.type in GROUPS))
        is_described = named.isdisjoint(subject.id for subject in subjects)
        if not is_described and about:
            return []
        what = Part(self._read, told, tuple(facts), "about", is_described=is_described)
        once: dict[str, Part] = {}
        for clause in asking:
            part = self._part(clause, told)
            heading = part.readings[0].heading if part.readings else ""
            if part.kind in _ASKED_OF_DESCRIBED and heading not in _POINTED_TO:
                part = replace(part, is_described=is_described, in_general=what.readings)
                once.setdefault(heading, part)
        parts = [*once.values()] or [what]
        return parts if len(parts) > 1 else [replace(parts[0], text=self._read)]

    def _parts(self) -> Iterator[Part]:
        """By clauses; one that names nothing is about what the one before it named."""
        read = self._told()
        asking = {
            clause for clause, own in read if self._asks(clause) or (own and clause.asks_whether)
        }
        if any(clause.is_question for clause in asking):  # what is told beside it asks nothing
            asking = {
                clause
                for clause in asking
                if clause.is_question or clause.asks_whether or self._has_asking_words(clause)
            }
        asks = bool(asking) or any(clause.is_question for clause, _ in read)
        first = next((own for _, own in read if own), [])
        before, told = self._previous or first, list[Subject]()
        for clause, own in read:
            if clause in asking:
                beside = told if clause.asks_whether and own else []
                if own and not beside and clause.asks_whether:
                    goes_on = PRONOUN.search(clause.words) or not _has_condition(own)
                    beside = before if goes_on else []
                yield from self._parts_of(clause, own or before or self._subjects, beside)
            elif own and asks and not (clause.is_question or _WHAT_IS_IT.search(clause.words)):
                told = own  # "I have asthma, ..."
            elif own or (clause.is_question and not asking and before):
                yield from self._parts_of(clause, own or before, [])
            elif before and _WHAT_IS_IT.search(clause.words):
                yield self._part(clause, before)
            elif clause.is_question and (asking or self._subjects):
                yield self._not_understood(clause)
            before = own or before

    def _told(self) -> list[tuple[Clause, list[Subject]]]:
        """The clauses that say something, and what each is about; none: it names nothing."""
        told_so = any(not subject.denied for subject in self._subjects)
        told = list[tuple[Clause, list[Subject]]]()
        named = self._previous or [s for s in self._subjects if s.type not in GROUPS]
        for clause in clauses(self._words):
            own = self._within(clause)
            if own and all(subject.type in GROUPS for subject in own):  # "can my kids catch it"
                own = [*named, *own]
            named = [subject for subject in own if subject.type not in GROUPS] or named
            unknown = any(clause.start <= start < clause.end for start, _ in self._unknown)
            denied = own and told_so and all(subject.denied for subject in own)
            if not (unknown and not own) and not denied:  # "no fever, but ..."
                told.append((clause, own))
        return told

    def _parts_of(
        self, clause: Clause, subjects: list[Subject], beside: list[Subject]
    ) -> Iterator[Part]:
        """Of a clause: whether things are connected, or what it asks for of each.

        Args:
            clause: with words that ask.
            subjects: what it names.
            beside: what was named before, and the clause asks about together with these.
        """
        of_two = pairs(clause, self._text(clause), [*beside, *subjects])
        if of_two and not self._asks_difference(clause, [*beside, *subjects]):
            readings = tuple(sorted(of_two, key=self._names_not_used))
            yield Part(self._text(clause), (*beside, *subjects), readings, "other")
            return
        whole = self._part(clause, subjects)
        if (whole.problem or _TELL.search(clause.words)) and (
            apart := self._told_apart(clause, subjects)
        ):
            yield from apart
            return
        pieces = [(piece, self._within(piece)) for piece in segments(clause)]
        named = [own for _, own in pieces if own]
        asking = [(piece, own) for piece, own in pieces if self._asks(piece, in_a_list=True)]
        if (whole.problem and len(asking) < 2) or fits(clause.words, subjects, [SHARED]):  # noqa: PLR2004
            yield whole
        elif len(asking) > 1 and not self._would_answer_a_warning(clause, asking, subjects):
            for at, (piece, own) in enumerate(asking):
                around = (*reversed(asking[:at]), *asking[at + 1 :])
                near = next((other for _, other in around if other), subjects)
                yield self._part(piece, own or near)
        elif len(named) > 1 and _are_alike(named):
            for own in named:
                yield self._part(clause, own)
        else:
            yield whole

    def _asks_difference(self, clause: Clause, subjects: Sequence[Subject]) -> Fit | None:
        """What asks how several things differ."""
        by_pattern = fits(clause.words, subjects, [i for i in _ALL if i.words.pattern])
        likely = [] if by_pattern else self._likely(clause, subjects)
        likely = [i for i in likely if i.heading == _DIFFERENCES.heading]
        found = fits(clause.words, subjects, [_DIFFERENCES]) or fits("", subjects, likely)
        return found[0] if found else None

    def _told_apart(self, clause: Clause, subjects: Sequence[Subject]) -> list[Part]:
        """What each of several things is, where it is asked how they differ: that is not stated."""
        asked = self._asks_difference(clause, subjects)
        places: dict[int, list[Subject]] = {}
        for subject in subjects:
            places.setdefault(subject.start, []).append(subject)
        if asked is None or len(places) < 2:  # noqa: PLR2004
            return []
        text = self._text(clause)
        problem = self._unsaid(asked, text, subjects)
        parts = [self._unread(clause.words, subjects, problem, text)]
        for own in places.values():
            place = Clause(max(own[0].start, 0), max(own[0].end, 0), "")
            readings = sorted(
                map(Reading.of, fits("", own, INTENTS)), key=lambda r: r.heading == "diseases"
            )
            if readings:
                parts.append(Part(self._text(place), tuple(own), tuple(readings), "about"))
        return parts

    def _would_answer_a_warning(
        self,
        clause: Clause,
        asking: Sequence[tuple[Clause, list[Subject]]],
        subjects: list[Subject],
    ) -> bool:
        """Whether a piece of a question for what to avoid asks, alone, for what helps."""
        if not any(fit.intent.warns for fit in fits(clause.words, subjects, INTENTS)[:1]):
            return False
        first = [fits(piece.words, own or subjects, INTENTS)[:1] for piece, own in asking]
        return any(
            fit.intent.kind == "treatment" or fit.intent.heading == "foods"
            for found in first
            for fit in found
        )

    def _part(self, clause: Clause, subjects: Sequence[Subject]) -> Part:
        """What is asked of some things in the words of a clause."""
        candidates = fits(clause.words, subjects, INTENTS)
        unsaid = fits(clause.words, subjects, UNSAID)
        text = self._text(clause)
        is_general = False
        has_words = any(fit.intent.words.pattern for fit in candidates)
        by_pattern = next(iter(candidates if has_words else unsaid), None)
        likely = self._likely(clause, subjects, by_pattern)
        read_as = likely[0].heading if likely else ""
        if likely:
            has_words = True
            unsaid = fits("", subjects, [i for i in likely if not _is_said(i)])
            candidates = fits("", subjects, filter(_is_said, likely)) or candidates
        if told := self._said_by_no_relation(clause, subjects, candidates, unsaid):
            return replace(told, read_as=read_as)
        if not has_words:
            if _ABOUT.search(clause.words):  # what a finding is, not what has it
                candidates.sort(key=lambda fit: fit.intent.heading == "diseases")
            is_general = bool(
                clause.may_ask and content(clause.words) and not _ABOUT.search(clause.words)
            )
            elsewhere = clause.is_question and OUT_OF_SCOPE.search(clause.words)
            if elsewhere or (is_general and not self._may_be_general(clause, subjects)):
                return replace(self._not_understood(clause), subjects=tuple(subjects))
        readings: dict[tuple[Subject, ...], Reading] = {}
        for fit in candidates:
            reading = Reading.of(fit)
            if clause.asks_whether:
                reading = replace(reading, whether="is")
            readings.setdefault(reading.subjects, reading)
        if not readings:
            return self._unread(clause.words, subjects, self._nothing_asked(subjects), text)
        readings = _of_diseases_first(readings)
        # what gout has is no answer to what gout and asthma share
        most = max(map(len, readings))
        whole = [reading for about, reading in readings.items() if len(about) == most]
        ordered = sorted(whole, key=self._names_not_used)
        kind = candidates[0].intent.kind
        readings_of_part = (*ordered, *_instead(candidates[0], subjects))
        return Part(
            text, tuple(subjects), readings_of_part, kind, is_general=is_general, read_as=read_as
        )

    def _likely(
        self, clause: Clause, subjects: Sequence[Subject], by_pattern: Fit | None = None
    ) -> list[Intent]:
        """The intents that the words of a clause are like, where no pattern reads them better.

        Args:
            clause: of the question.
            subjects: what it is about.
            by_pattern: the likeliest by the patterns.

        Returns:
            Those of one heading that may be asked of them; none where that is not plain.
        """
        types = {subject.type for subject in subjects if not subject.denied}
        about = [kind for kind, some in _WORDED.items() if types.intersection(some)]
        names_alone = not content(clause.words) and not clause.is_question
        if len(about) != 1 or names_alone or not clause.may_ask:
            return []
        if OUT_OF_SCOPE.search(clause.words) or (by_pattern and by_pattern.intent.warns):
            return []
        asked = self._read[clause.start : clause.end]
        places = {(s.start, s.end) for s in self._within(clause) if s.type in _WORDED[about[0]]}
        for start, end in sorted(places, reverse=True):
            asked = asked[: start - clause.start] + SLOT + asked[end - clause.start :]
        found = worded(asked, about[0], by_pattern.intent.heading if by_pattern else None)
        alike = [i for i in _ALL if found and i.heading == found.group != _FACTS]
        if by_pattern and any(i.kind == by_pattern.intent.kind != "other" for i in alike):
            return []  # drugs are treatments
        return [i for i in map(in_any_words, alike) if fits("", subjects, [i])]

    def _said_by_no_relation(
        self,
        clause: Clause,
        subjects: Sequence[Subject],
        candidates: Sequence[Fit],
        unsaid: Sequence[Fit],
    ) -> Part | None:
        """What no relation of the graph says, and what is answered instead; None where one does.

        Args:
            clause: of the question.
            subjects: what it is about.
            candidates: the intents that relations answer.
            unsaid: those that none answers.
        """
        text = self._text(clause)
        curable = bool(clause.asks_whether and CURABLE.search(clause.words))
        if not curable and any(fit.intent.words.pattern for fit in candidates):
            return None
        for fit in (fits(clause.words, subjects, _OUTLOOK) if curable else unsaid)[:1]:
            problem = self._unsaid(fit, text, subjects)
            part = self._unread(clause.words, subjects, problem, text)
            part = replace(part, unsaid=fit.intent.heading)
            if part.kind == "other":
                part = replace(part, kind=fit.intent.kind)
            if fit.intent.heading in _NOT_IN_GENERAL:
                return part
            others = [*candidates] if curable else fits("", subjects, INTENTS)
            if _PASSED.search(clause.words):  # by germs, or to children
                others = [*fits(clause.words, subjects, _INHERITED), *others]
            in_general = sorted(map(Reading.of, others), key=lambda r: r.heading == "diseases")
            return replace(part, in_general=tuple(in_general))
        return None

    def _may_be_general(self, clause: Clause, subjects: Sequence[Subject]) -> bool:
        """Whether what a thing is answers, in part, what a clause asks in words that are not known.

        Not where yes or no is asked for, nor what no text on a disease or drug says.
        """
        told = {subject.type for subject in subjects if not subject.denied}
        return (
            bool(told & {"Disease", "Symptom", "Drug", "Gene"})
            and (not clause.asks_whether or self.fit >= _MOSTLY_ABOUT)
            and OUT_OF_SCOPE.search(self._text(clause)) is None
        )

    def _complaints(self) -> Part | None:
        """What several findings together point to, or one; None where that is not asked for.

        A place of the question counts as a finding where it is one before it is a disease, or one
        of several of which diseases are asked for.
        """
        asked = {i.heading for i in _ALL if i.is_asked_by(self._words) and _is_of_findings(i)}
        places: dict[int, list[Subject]] = {}
        for subject in self._subjects:
            places.setdefault(subject.start, []).append(subject)
        first = {start: found[0] for start, found in places.items()}
        whether = any(clause.asks_whether for clause in clauses(self._words))
        if asked & _POINTED_TO and len(places) > 1 and not whether:  # 腹泻 is a disease, too
            first |= {
                start: next((s for s in found if s.type == "Symptom"), found[0])
                for start, found in places.items()
            }
        told = [s for s in first.values() if s.type not in ("Anatomy", *GROUPS)]
        present = [s for s in told if not s.denied]
        several = len({s.id for s in present}) > 1
        allowed = _POINTED_TO | {"causes"} if several else _POINTED_TO
        if not present or any(s.type != "Symptom" for s in told) or self._unknown:
            return None
        tells = not asked and (several or self._content) and not self._asks_otherwise()
        if not asked <= allowed or not (asked or tells):
            return None
        triples = tuple(Triple(None, "HAS_SYMPTOM", s.id) for s in present)
        reading = Reading("diseases", tuple(present), triples, query=DIFFERENTIAL)
        whole = Clause(0, len(self._read), self._words)
        usual = self._part(whole, present[:1]).readings if not several else ()
        return Part(self._read, tuple(told), (reading, *usual), "cause")

    def _asks_otherwise(self) -> bool:
        """Whether there is a question in it that has words for nothing of findings."""
        return any(
            clause.is_question and content(clause.words) and not _ABOUT.search(clause.words)
            for clause in clauses(self._words)
        )

    def _within(self, clause: Clause) -> list[Subject]:
        return [s for s in self._subjects if clause.start <= s.start < clause.end]

    def _asks(self, clause: Clause, *, in_a_list: bool = False) -> bool:
        """Whether a stretch of the question has words that ask something of what it names.

        Args:
            clause: the stretch.
            in_a_list: it is a member of one, where a bare word may be what the whole list asks.
        """
        by_pattern = self._has_asking_words(clause)
        if by_pattern or (in_a_list and not clause.is_question):
            return by_pattern
        subjects = self._within(clause) or self._subjects or self._previous
        return bool(self._likely(clause, subjects))

    def _has_asking_words(self, clause: Clause) -> bool:
        """Whether it has the words of an intent that may be asked of what is named."""
        types = {subject.type for subject in (*self._subjects, *self._previous)}
        return any(
            intent.is_asked_by(clause.words)
            and all(types.intersection(allowed) for allowed in intent.subjects.values())
            for intent in _ALL
        )

    def _names_not_used(self, reading: Reading) -> int:
        """How many of its things the question does not call by their first name in its language."""
        return sum(
            subject.start >= 0
            and not subject.of_people
            and self._read[subject.start : subject.end].casefold()
            not in (subject.name.casefold(), self._called[subject.id].casefold())
            for subject in reading.subjects
        )

    @cached_property
    def _called(self) -> dict[str, str]:
        """What everything that it speaks of is called in its language, by id."""
        with speaking(CHINESE if language_of(self._read) == CHINESE else ENGLISH):
            return self._linker.index.spoken_names((*self._subjects, *self._previous))

    def _text(self, clause: Clause) -> str:
        return self._read[clause.start : clause.end].strip()

    def _unread(
        self,
        words: str,
        subjects: Iterable[Subject],
        problem: QuestionError,
        text: str | None = None,
    ) -> Part:
        return Part(text or self._read, tuple(subjects), (), kind_of(words), problem)

    def _unsaid(self, fit: Fit, text: str, subjects: Iterable[Subject]) -> NoRelationError:
        why = "no relation of this graph says what '{question}' asks about {names}: {heading}"
        told = list(subjects)
        told = [subject for subject in told if subject.type not in GROUPS] or told
        names, heading = named_with_types(told, self._linker), fit.intent.heading
        said = translate(
            why, question=in_short(text), names=names, heading=title("headings", heading)
        )
        return NoRelationError(said)

    def _not_understood(self, clause: Clause) -> Part:
        why = (
            "'{question}' has no words for what this graph can answer; 'medkg queries' lists that"
        )
        problem = NoRelationError(translate(why, question=in_short(self._text(clause))))
        return self._unread(clause.words, (), problem, self._text(clause))

    def _nothing_asked(self, subjects: Iterable[Subject]) -> NoRelationError:
        return NoRelationError(
            translate(
                "'{question}' mentions {names}, but no query fits its wording; 'medkg queries' "
                "lists the ways to ask",
                question=self._asked,
                names=named_with_types(subjects, self._linker),
            )
        )

    def _nothing_named(self, *, leaves_open: bool) -> NoEntityError:
        if leaves_open:
            why = "'{question}' does not say about what; name the disease, symptom, drug or gene"
            return NoEntityError(translate(why, question=self._asked))
        return NoEntityError(self._not_known(self._content))

    def _not_known(self, name: str) -> str:
        """Says that a name is not in the graph, and which are near."""
        near = nearest_names(name, self._linker)
        if not near:
            why = (
                "'{question}' names nothing that this graph knows; use a name as the graph has it: "
                "'medkg query entity.find text=PART' finds names by a part of them"
            )
            return translate(why, question=self._asked)
        why = "'{question}' names nothing that this graph knows; the nearest are {names}"
        return translate(why, question=self._asked, names=translate(", ").join(near))


MODES: Final = "modes of inheritance"
"""Heading of what says how something is inherited."""
_ALL: Final = (*INTENTS, *UNSAID)
_WORDED: Final[Mapping[About, tuple[str, ...]]] = MappingProxyType(
    {"condition": ("Disease", "Symptom"), "drug": ("Drug",)}
)
"""Types of what there are examples of questions about."""
_POINTED_TO: Final = frozenset({"diseases", "what may lead to it"})
"""Headings of what findings point to."""
_FACTS: Final = "facts"
"""Heading of what a thing is."""
CURABLE: Final = re.compile(
    r"\bcur(e|ed|able)\b|\b(get|gets) rid of\b.*\bfor good\b|治得?[好愈]|治愈|根治|断根|除根|能好|会好|好得了|痊愈|能治",
    re.IGNORECASE,
)
"""Asks whether it can be cured: that there are treatments does not say so."""
_OUTLOOK: Final = [in_any_words(i) for i in UNSAID if i.heading == "outlook"]
_PASSED: Final = re.compile(
    r"\bpass(ed|es)? (it |this |that |them |x+ )?(on|down|to)\b|\bhanded down\b|传给",
    re.IGNORECASE,
)
_TELL: Final = re.compile(r"\btell (\w+ ){1,5}(apart|from)\b|区分|分辨|鉴别", re.IGNORECASE)
_DIFFERENCES: Final = next(i for i in UNSAID if i.heading == "differences")
_INHERITED: Final = [in_any_words(i) for i in INTENTS if i.heading == MODES]
_NOT_IN_GENERAL: Final = ("amounts and times", "research", "differences")
"""Headings of what a text on a thing in general does not answer, either."""
_ASKED_OF_DESCRIBED: Final[tuple[Kind, ...]] = (
    "cause",
    "treatment",
    "prevention",
    "outlook",
    "diagnosis",
    "at risk",
)
"""What may be asked of a disease that is described: its symptoms are told."""
_MOSTLY_ABOUT: Final = 0.6
"""Fit from which a question that wants yes or no may be answered by what a thing is."""
_FEW: Final = 3
_SHORT: Final = 3
"""Words, and Chinese characters of one, that a question which goes on may have beside those that ask."""
_LONGEST_PHRASE: Final = 40
"""Characters of words that ask; what is longer has other words between them."""
_ASCII_WORD: Final = re.compile(r"[A-Za-z]+")
_ANIMALS: Final = (
    r"(?:dog|pupp(?:y|ie)|cat|kitten|horse|pony|cow|sheep|goat|pig|hen|chicken|parrot|budgie|rabbit|bunny"
    r"|hamster|guinea pig|goldfish|fish|tortoise|turtle|ferret|pet)s?"
)
_OF_ANIMALS: Final = re.compile(
    rf"\b(?:my|our|his|her|their|this|the) {_ANIMALS}(?:'s)? (?:has|have|had|is|are|was|got|gets|keeps?|won't|can't"
    rf"|doesn't|will|vomits|limps|coughs|sneezes|scratches|needs|suffers|lost|stopped)\b(?! (?:bitten|scratched) (?:me|us|him|her))"
    rf"|\b(?:do|does|did|can|will|is|are|has|have) (?:my|our|his|her|their) {_ANIMALS}\b(?! (?:make|give|cause|trigger)\w*)"
    rf"|\b(?:in|for|treat|give|deworm) (?:my |our |his |her )?{_ANIMALS}\b|\bveterinar"
    r"|(?:我家?|家里|我们家|他家|她家|养)的?(?:小|老|那只|这只)?(?:狗|猫|兔子|仓鼠|鹦鹉|金鱼|乌龟|马|牛|羊|猪|鸡)(?!.{0,4}[咬抓挠]|毛?过敏)"
    r"|宠物|兽医|狗狗|猫咪(?!.{0,4}[咬抓挠])",
    re.IGNORECASE,
)
"""Says who is ill: an animal, and not somebody whom one bit."""
_WHAT_IS_IT: Final = re.compile(
    r"\bwhat('s| is| does| are) (it|that|this|they|these)( mean)?\W*$|[它这那](个病)?是(什么|啥)",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(what|who)( exactly| actually| really| precisely)? (is|are|was)\b|\b(tell|know|information|learn|explain|describe|about)\b"
    r"|what('s| does)|是什么|什么是|介绍|解释|了解|科普|啥是|是啥|是哪[几些两三]",
    re.IGNORECASE,
)


def is_elsewhere(text: str) -> bool:
    """Whether a question is about an animal, or asks what no graph of medicine says, such as a price."""
    read_text = simplified_text(text)
    return bool(OUT_OF_SCOPE.search(read_text) or _OF_ANIMALS.search(read_text))


def kind_of(words: str) -> Kind:
    """What the words of a question ask for, whatever of.

    Args:
        words: of a question, in Simplified characters.
    """
    of_conditions = (i for i in _ALL if "Disease" in next(iter(i.subjects.values())))
    found = next((i for i in of_conditions if i.is_asked_by(words)), None)
    return found.kind if found else "about" if _ABOUT.search(words) else "other"


def _without_names(question: str, subjects: Iterable[Subject]) -> str:
    """The question with its names blotted out: no word of a name asks for anything."""
    for subject in subjects:
        blot = "x" * (subject.end - subject.start)
        question = question[: subject.start] + blot + question[subject.end :]
    return question


def _without_asking_words(words: str) -> str:
    """The words that are not among those of an intent."""
    asking = [found.span() for i in _ALL if i.words.pattern for found in i.words.finditer(words)]
    short = [(start, end) for start, end in asking if end - start <= _LONGEST_PHRASE]
    whole = [
        (min(start, word.start()), max(end, word.end()))
        for word in _ASCII_WORD.finditer(words)
        for start, end in short
        if start < word.end() and word.start() < end
    ]
    for start, end in (*short, *whole):
        words = words[:start] + " " * (end - start) + words[end:]
    return words


def _of_diseases_first(
    readings: Mapping[tuple[Subject, ...], Reading],
) -> dict[tuple[Subject, ...], Reading]:
    """Without what has a thing as its finding, where what causes that thing is asked first."""
    if next(iter(readings.values())).heading != "causes":
        return dict(readings)
    causes = [reading for reading in readings.values() if reading.heading == "causes"]
    asked = {s.start for reading in causes for s in reading.subjects if s.type == "Disease"}
    return {
        subjects: reading
        for subjects, reading in readings.items()
        if reading.heading != "diseases" or not asked.issuperset(s.start for s in subjects)
    }


def _is_said(intent: Intent) -> bool:
    """Whether relations answer it."""
    return bool(intent.gaps or intent.query)


def _is_of_findings(intent: Intent) -> bool:
    return "Symptom" in next(iter(intent.subjects.values()))


def _has_condition(subjects: Iterable[Subject]) -> bool:
    return any(subject.type in ("Disease", "Symptom", "Population") for subject in subjects)


def _are_alike(named: Sequence[Sequence[Subject]]) -> bool:
    """Whether the same may be asked of all: each is a condition, or each of one type."""
    types = [{"Disease" if s.type == "Symptom" else s.type for s in own} for own in named]
    return bool(set.intersection(*types))


def _instead(first: Fit, subjects: Sequence[Subject]) -> Iterator[Reading]:
    """What answers where nothing is known of what the words ask."""
    others = [i for i in INTENTS if i.heading == first.intent.otherwise]
    found = fits("", subjects, map(in_any_words, others))
    diseases = {subject.start for subject in subjects if subject.type == "Disease"}
    told: dict[tuple[str | None, ...], Fit] = {}
    for fit in found:
        if fit.intent.query == "symptom.diseases" and fit.subjects["symptom"].start in diseases:
            continue  # what has it as a finding is no answer to what causes it
        told.setdefault((fit.intent.query, *(s.id for s in fit.subjects.values())), fit)
    for fit in told.values():
        yield Reading.of(fit, instead=True)
