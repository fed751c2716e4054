"""Answers a question: passages give candidates, the graph chooses one and states the facts.

The joint reasoning of the paper, section 3.3.5, on a question in parts: what to say is chosen from
texts, and what the graph says stands below it. docs/answers.md has the rules.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from cypher.translation import ENGLISH, title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.store import Store
from kg.text.phrases import is_chinese
from qa.clauses import in_short
from qa.corpus import QUESTIONS
from qa.facts import Facts, facts_of
from qa.generation.candidates import Candidate, Generator, Sentence
from qa.generation.extractive import Extractive
from qa.index import Filter, Hit, Index, Mode
from qa.intent import Gap, Intent, Kind
from qa.intents import INTENTS, UNSAID
from qa.known_questions import KnownQuestions, least_likeness
from qa.ordering import column, listed
from qa.passages import (
    PassageFinder,
    Thing,
    is_field,
    names_all,
    query_of,
    things_of,
    unread_words,
)
from qa.populations import GROUPS, are_alike, said_of
from qa.question import DIFFERENTIAL, Part, Question, Reading
from qa.questions import CURABLE, MODES, is_elsewhere, read
from qa.selection import Asked, Selection, Selector, kind_of_hit, select
from qa.subgraph import WITHOUT_RELATION, Edge, Subgraph, subgraph
from qa.subjects import Subject
from qa.support import FILTERED, typical_ranks

LISTED: Final = 10
"""Names in a sentence of facts."""
_OF_RELATION: Final = 5
"""Names in a sentence of one relation among others."""
_URGENT: Final = re.compile(
    r"^[^.;:]*\b(emergency|ambulance|at once|immediately)\b|^[^。；：]*(急症|急诊|急救|120|立即|马上)"
)
"""Begins a text that says that something is one for a doctor at once."""
_OF_TEXTS: Final = (
    "outlook",
    "frequency",
    "how it spreads",
    "research",
    "stages",
    "staying away from school or work",
    "when to see a doctor",
)
"""What texts may say where no relation of the graph does; never how much to take of a drug."""
_SPREADS: Final = re.compile(
    r"contagious|\btransmi(t|ssion)|\bspreads? (very |most |more )?(easily|through|by|from|when|via|in the air|to (others|other people|people))"
    r"|person[ -]to[ -]person|one person to another|pass(ed)? (it )?(on|from|to)\b|through the air|传染|传播",
    re.IGNORECASE,
)
"""Words of a text that says how a disease gets from one to another, not how it goes on in one."""
_CURES: Final = re.compile(
    r"\bcur(e|ed|able|es)\b|\bfatal\b|\b(goes|go) away\b|\brecover\w*|治愈|根治|痊愈|治好|死亡",
    re.IGNORECASE,
)
"""Words of a text that says whether a disease can be cured."""
_SAYS_NO_FIELD: Final = re.compile(r"^(无特.{0,6}人群?|所有人群?|.{0,3}无特发.*|不详|未知|无)$")
_OF_FIELDS: Final = re.compile(r"(性|人群|途径|方式)?$")
"""What may follow in the name of a field the words that ask for it: 传染性, 易感人群."""
_OF_FURTHER_KINDS: Final = (DIFFERENTIAL, "entity.descendants")
"""Queries whose rows are also of what is no neighbour of the things, but a kind of one or further."""
_MOST: Final = frozenset({"Adults", "Men", "Women"})
"""Groups of people to whom what is said in general applies."""
_CAUSES_TOO: Final = ("triggers", "germs that cause it")
"""Headings of what a text on causes says, where none says it in the words of the question."""


@dataclass(frozen=True)
class Statement:
    """A sentence of an answer, and what it rests on."""

    text: str
    passage: Sentence | None = None
    """Where it stands word for word."""
    edges: tuple[Edge, ...] = ()
    """The facts that it states."""
    named: str = ""
    """Id of a thing whose names it states."""

    @property
    def is_supported(self) -> bool:
        """Whether it rests on a passage, on a fact or on a name."""
        return bool(self.edges or self.named) or (
            self.passage is not None and self.passage.document is not None
        )


@dataclass(frozen=True)
class PartAnswer:
    """The answer to a part of a question."""

    part: Part
    prose: tuple[Statement, ...] = ()
    """What is said first; none where no text is about it and the graph has no fact. Sentences of
    facts stand before what is quoted from a text in another language."""
    facts: Facts | None = None
    problem: QuestionError | None = None
    """Why there are no facts; without prose, why there is no answer. None without facts where a text
    answers just this question."""
    notes: tuple[str, ...] = ()
    """What is to be said beside the prose, in the language that is spoken: before what it quotes."""
    candidates: tuple[Candidate, ...] = ()
    selection: Selection | None = None
    """Which candidate the prose is; None: there was none."""
    subgraph: Subgraph | None = None

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that the prose is."""
        return None if self.selection is None else self.candidates[self.selection.chosen]


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    question: Question
    parts: tuple[PartAnswer, ...]
    """Those of the question, without what was told before; none for a greeting or an emergency, which
    ``question`` has."""

    @property
    def unsupported(self) -> tuple[Statement, ...]:
        """The sentences that rest on no passage and on no fact: none, unless a model wrote them."""
        prose = chain.from_iterable(part.prose for part in self.parts)
        return tuple(statement for statement in prose if not statement.is_supported)


@dataclass(frozen=True)
class Answerer:
    """All that answers are made from; asked again and again."""

    store: Store
    linker: Linker
    """Of the store's names."""
    index: Index | None = None
    """None: answers are facts alone."""
    generator: Generator = field(default_factory=Extractive)
    mode: Mode = "bm25"
    selector: Selector = "weighted"
    """How one of the candidates is chosen."""
    without: Filter = field(default_factory=dict)
    """Metadata of passages that are not quoted."""
    without_sources: Collection[str] = ()
    """Sources of the graph whose facts neither choose nor are said in the prose."""

    def answer(self, question: str, previous: Question | None = None) -> Answer:
        """Answer a question in English or Chinese, part by part.

        Args:
            question: as a person would ask.
            previous: the question before, which says what "it" is.

        Raises:
            QuestionError: it has no words, or too many.
            ModelError: the generator's model failed.
            RetrievalError: the index cannot be searched.
            StoreError: the store failed.
        """
        read_question = read(question, self.linker, previous)
        return Answer(
            read_question,
            tuple(_each_once(self._of_part(read_question, part) for part in read_question.parts)),
        )

    def _of_part(self, question: Question, part: Part) -> PartAnswer:
        """What a text answers to this very question; else what the graph and the other texts say."""
        if known := self._of_known(question, part):
            return known
        return (self._of_described if part.is_described else self._answered)(question, part)

    def _of_known(self, question: Question, part: Part) -> PartAnswer | None:
        """What a text says to a question that is much like this one; None where none is."""
        texts = self._texts
        if texts is None or is_elsewhere(question.text):
            return None
        named = _distinct(part.subjects or question.subjects)
        about = things_of(self.store, [s for s in named if s.type not in GROUPS])
        known = KnownQuestions(texts.index, self.without)
        found = known.nearest(part.text, question.language, about)
        if found is None or found.likeness < least_likeness(part, about):
            return None
        query = query_of(question, part)
        candidates = Extractive().candidates(query, [found.hit], texts.index.document)
        if not candidates:
            return None
        chosen = candidates[0]
        of = Asked(query, part.kind, (), ())
        asked = replace(
            part,
            subjects=tuple(named),
            readings=(),
            problem=None,
            is_general=False,
            is_described=False,
        )
        of_others = () if are_alike(part.text, [chosen.text]) else self._generality_note(asked, ())
        return PartAnswer(
            asked,
            notes=of_others,
            prose=tuple(Statement(sentence.text, sentence) for sentence in chosen.sentences),
            candidates=(chosen,),
            selection=select((chosen,), Subgraph((), (), {}), of, self.selector),
        )

    def _of_described(self, question: Question, part: Part) -> PartAnswer:
        """What is asked of a disease that is described, and when it is one for a doctor.

        Else what it is in general, and its name at least. Who describes it has it: what is an
        emergency comes first.
        """
        answer = self._of_typical(question, part)
        said = {statement.text for statement in answer.prose}
        advice = [a for a in self._when_to_see_a_doctor(part, question) if a.text not in said]
        urgent = any(_URGENT.search(each.text) for each in advice)
        prose = (*advice, *answer.prose) if urgent else (*answer.prose, *advice)
        return replace(answer, prose=prose)

    def _when_to_see_a_doctor(self, part: Part, question: Question) -> Iterator[Statement]:
        """What a section of what is described says on that, in the language of the question."""
        asks = next(i.words for i in UNSAID if i.heading == "when to see a doctor")
        for subject in _distinct(s for s in part.subjects if s.type in ("Disease", "Symptom")):
            for row in self.store.query("disease.sections", disease=subject.id).dicts():
                name, text = str(row["section_name"]), str(row["section_text"])
                if row["original_relation"] == QUESTIONS:
                    continue  # it answers one question alone
                if asks.search(name) and is_chinese(text) == (question.language != ENGLISH):
                    section, sources = str(row["section_id"]), (*listed(row["sources"]),)
                    edge = Edge(subject.id, "HAS_SECTION", section, sources)
                    yield Statement(text, edges=(edge,))
                    return

    def _of_typical(self, question: Question, part: Part) -> PartAnswer:
        """What is asked of it, or what it is in general, or its name."""
        answer = self._answered(question, part)
        if answer.prose or answer.facts or not part.in_general:
            return answer
        plain = replace(part, problem=None, readings=part.in_general, in_general=())
        general = self._answered(question, plain)
        if not (general.prose or general.facts):
            typical = part.in_general[0].subjects[0]
            name = self.linker.index.spoken_names([typical])[typical.id]
            named = translate("the graph knows {name}, and no more of it", name=name)
            general = replace(general, prose=(Statement(named, named=typical.id),))
        return replace(general, notes=(*self._not_said(part), *general.notes))

    def _of_unread(self, question: Question, part: Part) -> PartAnswer:
        """What answers a part that asks in words which no relation answers."""
        heirs = tuple(r for r in part.in_general if r.heading == MODES)
        inherited = replace(part, problem=None, readings=heirs, in_general=())
        if heirs and self._facts(inherited)[0]:
            return self._answered(question, inherited)
        answer = self._by_texts_alone(question, part)
        fields = self._fields(question, part, UNSAID)
        answer = replace(answer, prose=(*fields, *answer.prose))
        if answer.prose or not part.in_general:
            told = answer.chosen.text if answer.chosen else ""
            return replace(answer, notes=(*self._generality_note(part, (), told), *answer.notes))
        about = replace(part, problem=None, readings=part.in_general, kind="about")
        general = self._answered(question, about)
        return replace(general, notes=(*self._not_said(part), *general.notes))

    def _answered(self, question: Question, part: Part) -> PartAnswer:
        if part.problem is not None:
            return self._of_unread(question, part)
        facts, problem = self._facts(part)
        reading = part.readings[0] if facts is None else facts.reading
        subjects = _distinct((*reading.subjects, *(facts.subjects if facts else ())))
        gaps = [Gap(triple.relation, triple.sought) for triple in reading.triples]
        ids = [subject.id for subject in subjects]
        support = subgraph(self.store, ids, gaps, self.without_sources)
        answer = PartAnswer(part, facts=facts, problem=problem, subgraph=support)
        # no passage tells whether something is said of two things: one may deny what it names
        # and none whether all findings go with what it speaks of
        if all(gap.relation is not None for gap in gaps) and reading.query != DIFFERENTIAL:
            asking = [intent for intent in INTENTS if intent.heading == reading.heading]
            answer = self._by_texts(question, answer, subjects, asking)
            if answer.selection is None and reading.heading in _CAUSES_TOO:
                asking = [intent for intent in INTENTS if intent.heading == "causes"]
                answer = self._by_texts(question, answer, subjects, asking)
        elif facts is None and reading.query != DIFFERENTIAL:
            answer = self._by_texts_of_all(question, answer, subjects)
        of_reading = [intent for intent in INTENTS if intent.heading == reading.heading]
        fields = self._fields(question, part, of_reading)
        told = answer.chosen.text if answer.chosen else ""
        notes = (*self._generality_note(part, subjects, told), *answer.notes)
        answer = replace(answer, notes=notes, prose=(*fields, *answer.prose))
        if facts is not None and facts.verdict:
            return replace(answer, prose=(*_yes_or_no(facts), *answer.prose))
        # without a relation the subgraph is the clinical picture, which answers no other question
        is_answered = bool(gaps) or reading.heading == "facts"
        understood = answer.selection and not _is_foreign(answer, question.language)
        is_typical = facts is not None and facts.by_rank and bool(gaps)
        of_kin = (
            facts is not None and bool(facts.note) and (not understood or part.kind == "other")
        )
        if (
            (is_typical or of_kin)
            and answer.chosen
            and not (understood and self._is_to_the_point(answer.chosen, question, part))
        ):  # a list says it, if only of kinds of it; the text is in another language or on something else
            notes = self._generality_note(part, subjects)
            answer = replace(answer, prose=fields, notes=notes, selection=None)
        if (understood and not is_typical) or not is_answered or (facts and facts.note):
            return answer
        if facts is None and reading.query in FILTERED:
            return self._left_out(answer, gaps, ids)
        statements = self._statements_of_graph(reading, support, facts)
        return replace(answer, prose=(*statements, *answer.prose))

    @staticmethod
    def _is_to_the_point(chosen: Candidate, question: Question, part: Part) -> bool:
        """Whether a text is of what is asked, or of the people that are asked about."""
        people = said_of(question.text)
        of_them = people is not None and people.search(chosen.text) is not None
        return of_them or kind_of_hit(chosen.hit) == part.kind

    def _left_out(
        self, answer: PartAnswer, gaps: Sequence[Gap], ids: Collection[str]
    ) -> PartAnswer:
        """The answer, which says so if all that the graph states is of no kind that answers."""
        relations = {gap.relation for gap in gaps}
        edges = answer.subgraph.edges if answer.subgraph else ()
        about = next((e.head for e in edges if e.relation in relations and e.head in ids), None)
        if about is None:
            return answer
        message = (
            "what the graph states of that are kinds or symptoms of it, which is no answer; 'medkg "
            "query entity.neighbours entity={id}' shows them"
        )
        return replace(answer, problem=QuestionError(translate(message, id=about)))

    def _generality_note(
        self, part: Part, subjects: Sequence[Subject], told: str = ""
    ) -> tuple[str, ...]:
        """Says that an answer is not about what the question asks, or the people that it names.

        Args:
            part: of the question.
            subjects: those that the answer is about.
            told: the text that is quoted, which may speak of these people.
        """
        places = {subject.start for subject in subjects}
        first: dict[int, Subject] = {}
        for each in part.subjects:
            if each.type == "Population" and each.name not in _MOST and each.start not in places:
                first.setdefault(each.start, each)
        words = said_of(part.text)
        are_told = any(s.of_people for s in subjects) or (words and words.search(told))
        people = [] if are_told else [*first.values()]
        notes = []
        if part.is_general:
            called = self.linker.index.spoken_names(_distinct(subjects)[:1])
            message = "what '{question}' asks was not understood; this is about {names} in general"
            names = translate(" and ").join(called.values())
            notes += [translate(message, question=in_short(part.text), names=names)]
        if part.is_described:
            typical = next(s for s in part.subjects if s.type not in ("Population", "Precaution"))
            names = self.linker.index.spoken_names([typical])[typical.id]
            message = (
                "what is described is typical of {names}, but other things can look alike and only "
                "a doctor can tell"
            )
            notes += [translate(message, names=names)]
        if people:
            names = translate(" and ").join(self.linker.index.spoken_names(people).values())
            message = "this is general information, and may not apply to: {names}"
            notes += [translate(message, names=names)]
        return tuple(notes)

    @staticmethod
    def _not_said(part: Part) -> tuple[str, ...]:
        """Says that an answer is not what is asked: no text says that."""
        if CURABLE.search(part.text):
            message = "whether it can be cured neither the graph nor a text says; that there are treatments is no yes"
        else:
            message = "neither the graph nor a text says what '{question}' asks; the following is in general"
        return (translate(message, question=in_short(part.text)),)

    def _by_texts_alone(self, question: Question, part: Part) -> PartAnswer:
        """What no relation of the graph says, texts may say of a thing that it knows."""
        answer = PartAnswer(part, problem=part.problem)
        asking = [
            intent
            for intent in UNSAID
            if intent.heading in _OF_TEXTS
            and (intent.heading == part.unsaid or intent.words.search(part.text))
        ]
        spreads = [i for i in asking if i.heading == "how it spreads"]
        asking = [replace(i, words=_SPREADS) for i in spreads] or asking
        if CURABLE.search(part.text):
            asking = [replace(i, words=_CURES) for i in UNSAID if i.heading == "outlook"]
        subjects = [s for s in part.subjects if s.type not in GROUPS] or part.subjects
        return self._by_texts(question, answer, subjects, asking) if asking else answer

    def _by_texts(
        self,
        question: Question,
        answer: PartAnswer,
        subjects: Sequence[Subject],
        asking: Sequence[Intent],
    ) -> PartAnswer:
        """The answer with candidates from texts, and one of them for its prose, if there are any."""
        texts = self._texts
        if texts is None or not subjects:
            return answer
        about = things_of(self.store, subjects)
        hits, notes = self._passages(texts, question, answer.part, about, asking)
        query = query_of(question, answer.part)
        candidates = tuple(self.generator.candidates(query, hits, texts.index.document))
        if not candidates:
            return answer
        support = answer.subgraph or Subgraph((), (), {})
        names = tuple(name for one in about for name in sorted(one.names))
        of = Asked(query, answer.part.kind, names, support.facts)
        selection = select(candidates, support, of, self.selector)
        chosen = candidates[selection.chosen]
        prose = tuple(Statement(sentence.text, sentence) for sentence in chosen.sentences)
        return replace(
            answer, prose=prose, notes=notes, candidates=candidates, selection=selection
        )

    def _by_texts_of_all(
        self, question: Question, answer: PartAnswer, subjects: Sequence[Subject]
    ) -> PartAnswer:
        """Sentences of a text that name all of the things, where nothing is stated of them: no yes, nor a no.

        People are named by any words for them: a text on a drug in pregnancy.
        """
        people = said_of(question.text)
        named = [s for s in subjects if s.type not in GROUPS] if people else subjects
        about, texts = things_of(self.store, named), self._texts
        if texts is None or len(about) + (people is not None) < 2:  # noqa: PLR2004
            return answer
        words = (people,) if people else ()
        for language in dict.fromkeys((question.language, ENGLISH)):
            query = " ".join([query_of(question, answer.part), *(s.name for s in subjects)])
            hits = texts.find(query, language, about, words, None)
            for candidate in Extractive().candidates(query, hits, texts.index.document):
                # a text on one thing need not name it in the sentence on these people
                told = [
                    s
                    for s in candidate.sentences
                    if (people is None or people.search(s.text))
                    and (len(about) == 1 or names_all(s.text, about))
                ]
                if not told:
                    continue
                text = " ".join(sentence.text for sentence in told)
                chosen = replace(candidate, text=text, sentences=tuple(told))
                of = Asked(query, answer.part.kind, (), ())
                note = translate("whether it is so the graph does not say; a text has of both:")
                return replace(
                    answer,
                    prose=tuple(Statement(sentence.text, sentence) for sentence in told),
                    notes=(note,),
                    candidates=(chosen,),
                    selection=select((chosen,), Subgraph((), (), {}), of, self.selector),
                )
        return answer

    @property
    def _texts(self) -> PassageFinder | None:
        if self.index is None:
            return None
        return PassageFinder(self.index, self.linker, self.mode, self.without)

    def _facts(self, part: Part) -> tuple[Facts | None, QuestionError | None]:
        try:
            return facts_of(self.store, part, self.linker), None
        except QuestionError as e:
            return None, e

    @staticmethod
    def _passages(
        texts: PassageFinder,
        question: Question,
        part: Part,
        about: Sequence[Thing],
        asking: Sequence[Intent],
    ) -> tuple[list[Hit], tuple[str, ...]]:
        """The best passages about the things, of a document each, and what to say of them.

        They are in the question's language; where none is, in English.
        """
        words = [intent.words for intent in asking if intent.words.pattern]
        people = said_of(question.text) if part.kind == "treatment" else None
        words += [people] if people else []
        kind: Kind = "about" if part.is_general else part.kind
        unread = unread_words(part) if part.is_general else ()
        query = query_of(question, part)
        if hits := texts.find(query, question.language, about, words, kind, unread=unread):
            return hits, ()
        if question.language == ENGLISH:
            return [], ()
        names = list(dict.fromkeys(subject.name for subject in part.subjects))
        english = " ".join([intent.heading for intent in asking[:1]] + names)
        hits = texts.find(english, ENGLISH, about, words, kind)
        note = translate("no text in the language of the question is about this; it is in English")
        return hits, (note,) if hits else ()

    def _fields(
        self, question: Question, part: Part, intents: Iterable[Intent]
    ) -> tuple[Statement, ...]:
        """What fields of a table of diseases say of the things of a Chinese question.

        A field is a short section of a disease. It says what is asked where it is called by words
        that ask so, and the question has such words.
        """
        if question.language == ENGLISH:
            return ()
        asked = [i.words for i in intents if i.words.pattern and i.words.search(part.text)]
        things = [s for s in _distinct(part.subjects) if s.type in ("Disease", "Symptom")]
        called = self.linker.index.spoken_names(things)
        said: dict[str, tuple[Edge, str, str]] = {}
        for subject in things if asked else ():
            for row in self.store.query("disease.sections", disease=subject.id).dicts():
                field, text = str(row["section_name"]), str(row["section_text"]).strip(" ；;")
                is_question = row["original_relation"] == QUESTIONS
                if is_question or not is_field(text) or _SAYS_NO_FIELD.search(text):
                    continue
                places = (found.end() for words in asked for found in words.finditer(field))
                if any(_OF_FIELDS.match(field, end) for end in places):
                    section, sources = str(row["section_id"]), (*listed(row["sources"]),)
                    edge = Edge(subject.id, "HAS_SECTION", section, sources)
                    said.setdefault(text, (edge, field, called[subject.id]))
        # 有传染性 beside 虫媒传播
        telling = {t: each for t, each in said.items() if not t.endswith(each[1])} or said
        return tuple(
            Statement(
                translate("{head}: {relation}: {tail}.", head=name, relation=field, tail=text),
                edges=(edge,),
            )
            for text, (edge, field, name) in telling.items()
        )

    def _statements_of_graph(
        self, reading: Reading, support: Subgraph, facts: Facts | None
    ) -> tuple[Statement, ...]:
        """What the graph has: a list of names, or a sentence an edge or relation.

        Names are of the types that are asked for, in the order of the facts below.
        """
        names_by_id = self.linker.index.spoken_names(support.nodes)
        things = {s.id for s in (*reading.subjects, *(facts.subjects if facts else ()))}
        names = translate(" and ").join(
            names_by_id.get(subject.id, subject.name) for subject in _distinct(reading.subjects)
        )
        if facts and facts.query == "entity.by_id":
            names = _written(facts)
            named = facts.called([str(row[0]) for row in facts.rows.rows])
            heading = title("headings", reading.heading)
            sentence = translate(
                "{names}: {heading}: {listed}.",
                names=names,
                heading=heading,
                listed=translate(", ").join(named.values()),
            )
            return tuple(Statement(sentence, named=each) for each in [*named][:1])
        if not reading.triples:
            relations = [str(gap.relation) for gap in WITHOUT_RELATION]
            ranks = typical_ranks(self.store, things, relations)
            return tuple(_picture_statements(names, support.edges, names_by_id, things, ranks))
        rows = facts.rows.rows if facts else ()
        first_row: dict[str, int] = {}
        for number, row in enumerate(rows):
            for cell in row:
                first_row.setdefault(str(cell), number)
        types = reading.answer_types
        ids = [
            n.id for n in support.nodes if n.id not in things and (not types or n.type in types)
        ]
        if facts and (facts.query in _OF_FURTHER_KINDS or facts.less_stated or facts.by_rank):
            at = column(facts.rows.columns, "_id")
            ids = [*dict.fromkeys(str(row[at]) for row in rows)]
            names_by_id |= facts.called(ids[:LISTED])
        found = sorted(ids, key=lambda id_: first_row.get(id_, len(rows)))
        listed, more = found[:LISTED], len(found[LISTED:])
        if not listed and types:
            return ()
        if not listed:
            return tuple(
                Statement(
                    translate(
                        "{head}: {relation}: {tail}.",
                        head=names_by_id[edge.head],
                        relation=title("relations", edge.relation, _in_words(edge.relation)),
                        tail=names_by_id[edge.tail],
                    ),
                    edges=(edge,),
                )
                for edge in support.edges
                if {edge.head, edge.tail} <= names_by_id.keys()
            )
        edges = [edge for edge in support.edges if {edge.head, edge.tail} & {*listed}]
        wording = (
            "{names}: {heading}: {listed}, and {more} more."
            if more
            else "{names}: {heading}: {listed}."
        )
        sentence = translate(
            wording,
            names=names,
            heading=title("headings", reading.heading),
            listed=translate(", ").join(names_by_id[id_] for id_ in listed),
            more=more,
        )
        return (Statement(sentence, edges=tuple(edges)),)


def _each_once(parts: Iterable[PartAnswer]) -> Iterator[PartAnswer]:
    """Without a part of which the same text was told before."""
    told = set[tuple[str, ...]]()
    for part in parts:
        prose = tuple(statement.text for statement in part.prose)
        if part.facts or not prose or prose not in told:
            yield part
        told.add(prose)


def _written(facts: Facts) -> str:
    """How the question calls what it is about; as the graph does where that is not known."""
    subject = facts.reading.subjects[0]
    written = facts.part.text[max(subject.start, 0) : subject.end]
    return written if subject.start >= 0 and written.strip() else subject.name


def _yes_or_no(facts: Facts) -> Iterator[Statement]:
    """The answer to a question that wants one of these, and what it rests on."""
    edges = [*facts.edges()][:_OF_RELATION]
    called = facts.called({end for edge in edges for end in (edge.head, edge.tail)})
    match facts.verdict:
        case "no":
            said = translate("No, unless a doctor decides otherwise.")
        case "rather not":
            said = translate("Better not, unless a doctor or pharmacist agrees.")
        case "yes" if facts.note:
            said = translate(
                "Yes, by what is said of its kinds, of what it is a kind of, or of what is in it."
            )
        case "yes":
            said = translate("Yes.")
        case "maybe":
            said = translate("It may be.")
        case "":
            return
    yield Statement(said, edges=tuple(edges))
    for edge in edges:
        head, tail = called.get(edge.head), called.get(edge.tail)
        relation = title("relations", edge.relation, _in_words(edge.relation))
        if head and tail:
            text = translate(
                "{head}: {relation}: {tail}.", head=head, relation=relation, tail=tail
            )
            yield Statement(text, edges=(edge,))


def _is_foreign(answer: PartAnswer, language: str) -> bool:
    """Whether it quotes a text in another language than that."""
    chosen = answer.chosen
    return chosen is not None and chosen.hit.record.metadata.get("language", language) != language


def _picture_statements(
    names: str,
    edges: Sequence[Edge],
    names_by_id: Mapping[str, str],
    things: Collection[str],
    ranks: Mapping[tuple[str, str], int],
) -> Iterator[Statement]:
    """A sentence for each relation of the clinical picture, with what is typical, else most telling."""
    # sources that read labels or bills by machine have among the uses what a drug must not be used for
    forbidden = {(e.head, e.tail) for e in edges if e.relation == "CONTRAINDICATED_FOR"}
    for gap in WITHOUT_RELATION:
        edges_of_relation = [
            edge
            for edge in edges
            if edge.relation == gap.relation
            and not (edge.relation == "INDICATED_FOR" and (edge.head, edge.tail) in forbidden)
        ]
        typical = [edge for edge in edges_of_relation if (edge.relation, edge.tail) in ranks]
        edges_of_relation = typical or edges_of_relation
        edges_of_relation.sort(
            key=lambda edge: (
                ranks.get((edge.relation, edge.tail), 0),
                -(edge.discrimination or 0.0),
                -len(edge.sources),
            )
        )
        tails = dict.fromkeys(
            edge.tail for edge in edges_of_relation if edge.tail in names_by_id.keys() - things
        )
        shown = list(tails)[:_OF_RELATION]
        if shown:
            sentence = translate(
                "{head}: {relation}: {tail}.",
                head=names,
                relation=title("relations", str(gap.relation), _in_words(str(gap.relation))),
                tail=translate(", ").join(names_by_id[tail] for tail in shown),
            )
            yield Statement(
                sentence, edges=tuple(edge for edge in edges_of_relation if edge.tail in shown)
            )


def _in_words(relation: str) -> str:
    return relation.replace("_", " ").lower()


def _distinct(subjects: Iterable[Subject]) -> list[Subject]:
    return list({subject.id: subject for subject in subjects}.values())
