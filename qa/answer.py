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
from qa.clauses import content, in_short
from qa.facts import Facts, facts_of
from qa.generation.candidates import Candidate, Generator, Sentence
from qa.generation.extractive import Extractive
from qa.index import Filter, Hit, Index, Mode
from qa.intent import Gap, Intent, Kind
from qa.intents import INTENTS, UNSAID
from qa.kin import all_names_of
from qa.ordering import listed
from qa.populations import PEOPLE, said_of
from qa.question import DIFFERENTIAL, Part, Question, Reading
from qa.questions import CURABLE, MODES, read
from qa.selection import Asked, Selection, Selector, kind_of_hit, padded, select
from qa.subgraph import WITHOUT_RELATION, Edge, Subgraph, subgraph
from qa.subjects import Subject, find_subjects
from qa.support import FILTERED

CONTEXTS: Final = 5
"""Passages that a candidate is made of each (paper, section 3.3.4)."""
POOL: Final = 50
"""Passages that are looked at for those about the question's subject."""
_SYNONYMS: Final = 8
"""Names of its subjects that a question is searched with, the shortest."""
LISTED: Final = 10
"""Names in a sentence of facts."""
_OF_RELATION: Final = 5
"""Names in a sentence of one relation among others."""
_OF_TEXTS: Final = ("outlook", "frequency", "how it spreads", "research", "stages")
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
_SAYS_NOTHING: Final = re.compile(
    r"provides the following list of signs and symptoms|Approximate number of patients \(when available\)"
    r"|\bThese resources (address|from)\b|\bGenetic Testing Registry:|\bGene Review: Gene Review"
)
"""A text that names resources or stands beside a table: what it says itself answers nothing."""
_FIELD: Final = 50
"""Characters below which a section is a field of a table, which says nothing but what it is called."""
_SAYS_NO_FIELD: Final = re.compile(r"^(无特.{0,6}人群?|所有人群?|.{0,3}无特发.*|不详|未知|无)$")
_OF_FIELDS: Final = re.compile(r"(性|人群|途径|方式)?$")
"""What may follow in the name of a field the words that ask for it: 传染性, 易感人群."""
_OF_FURTHER_KINDS: Final = (DIFFERENTIAL, "entity.descendants")
"""Queries whose rows are also of what is no neighbour of the things, but a kind of one or further."""
_MOST: Final = frozenset({"Adults", "Men", "Women"})
"""Groups of people to whom what is said in general applies."""
_CAUSES_TOO: Final = ("triggers", "germs that cause it")
"""Headings of what a text on causes says, where none says it in the words of the question."""
_LETTERS: Final = 4
"""Of a word by which texts are told apart, at least."""
_UNDECIDED_KINDS: Final[tuple[Kind, ...]] = ("about", "other")
"""Of a heading that asks nothing in particular."""


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
    """Why there are no facts; without prose, why there is no answer."""
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
    """None for a greeting or an emergency, which ``question`` has."""

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
            tuple(
                (self._of_described if part.is_described else self._answered)(read_question, part)
                for part in read_question.parts
            ),
        )

    def _of_described(self, question: Question, part: Part) -> PartAnswer:
        """What is asked of a disease that is described; else what it is in general, and its name at least."""
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
            return replace(answer, notes=(*self._generality_note(part, ()), *answer.notes))
        general = self._answered(question, replace(part, problem=None, readings=part.in_general))
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
        notes = (*self._generality_note(part, subjects), *answer.notes)
        answer = replace(answer, notes=notes, prose=(*fields, *answer.prose))
        if facts is not None and facts.verdict:
            return replace(answer, prose=(*_yes_or_no(facts), *answer.prose))
        # without a relation the subgraph is the clinical picture, which answers no other question
        is_answered = bool(gaps) or reading.heading == "facts"
        understood = answer.selection and not _is_foreign(answer, question.language)
        if understood or not is_answered or (facts is not None and facts.note):
            return answer
        if facts is None and reading.query in FILTERED:
            return self._left_out(answer, gaps, ids)
        statements = self._statements_of_graph(reading, support, facts)
        return replace(answer, prose=(*statements, *answer.prose))

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

    def _generality_note(self, part: Part, subjects: Sequence[Subject]) -> tuple[str, ...]:
        """Says that an answer is not about what the question asks, or the people that it names."""
        places = {subject.start for subject in subjects}
        first: dict[int, Subject] = {}
        for each in part.subjects:
            if each.type == "Population" and each.name not in _MOST and each.start not in places:
                first.setdefault(each.start, each)
        people = [] if any(s.of_people for s in subjects) else [*first.values()]
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
        return self._by_texts(question, answer, part.subjects, asking) if asking else answer

    def _by_texts(
        self,
        question: Question,
        answer: PartAnswer,
        subjects: Sequence[Subject],
        asking: Sequence[Intent],
    ) -> PartAnswer:
        """The answer with candidates from texts, and one of them for its prose, if there are any."""
        if self.index is None or not subjects:
            return answer
        about = _things(self.store, subjects)
        hits, notes = self._passages(question, answer.part, about, asking)
        query = _query(question, answer.part)
        candidates = tuple(self.generator.candidates(query, hits, self.index.document))
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
        """Sentences of a text that name all of the things, where nothing is stated of them: no yes, nor a no."""
        about = _things(self.store, subjects)
        if self.index is None or len(about) < 2:  # noqa: PLR2004
            return answer
        for language in dict.fromkeys((question.language, ENGLISH)):
            query = " ".join([_query(question, answer.part), *(s.name for s in subjects)])
            hits = self._about(query, language, about, (), None)
            for candidate in Extractive().candidates(query, hits, self.index.document):
                told = [s for s in candidate.sentences if _names_all(s.text, about)]
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

    def _facts(self, part: Part) -> tuple[Facts | None, QuestionError | None]:
        try:
            return facts_of(self.store, part, self.linker), None
        except QuestionError as e:
            return None, e

    def _passages(
        self,
        question: Question,
        part: Part,
        about: Sequence["_Thing"],
        asking: Sequence[Intent],
    ) -> tuple[list[Hit], tuple[str, ...]]:
        """The best passages about the things, of a document each, and what to say of them.

        They are in the question's language; where none is, in English.
        """
        words = [intent.words for intent in asking if intent.words.pattern]
        people = said_of(question.text) if part.kind == "treatment" else None
        words += [people] if people else []
        kind: Kind = "about" if part.is_general else part.kind
        unread = _unread(part) if part.is_general else ()
        query = _query(question, part)
        if hits := self._about(query, question.language, about, words, kind, unread=unread):
            return hits, ()
        if question.language == ENGLISH:
            return [], ()
        names = list(dict.fromkeys(subject.name for subject in part.subjects))
        english = " ".join([intent.heading for intent in asking[:1]] + names)
        hits = self._about(english, ENGLISH, about, words, kind)
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
                field, text = str(row["section_name"]), str(row["section_text"]).strip(" 。；;")
                if len(text) >= _FIELD or _SAYS_NO_FIELD.search(text):
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

    def _about(
        self,
        query: str,
        language: str,
        about: Sequence["_Thing"],
        words: Sequence[re.Pattern[str]],
        kind: Kind | None,
        *,
        unread: Collection[str] = (),
    ) -> list[Hit]:
        """The best hits in a language that are of the things and have words that ask.

        What treats people who may not take everything is quoted from what speaks of them alone.
        Those whose heading asks the same come alone; without one, those whose heading asks nothing
        that a question can ask: a text on how to prevent asthma does not say what causes it. Where
        the question's own words find none, it is searched with all names of the things. Where a
        question asks in words that are not understood, the hit that has most of them comes alone,
        whatever its heading asks; of as many one that tells of the thing in general. Without a kind
        any heading counts.
        """
        if self.index is None:
            return []
        names = {name for thing in about for name in thing.names}
        more = sorted(name for name in names if is_chinese(name) == (language != ENGLISH))
        for text in (query, " ".join([query, *sorted(more, key=len)[:_SYNONYMS]])):
            first: dict[str, Hit] = {}
            hits = self.index.search(
                text, POOL, mode=self.mode, where={"language": language}, without=self.without
            )
            for hit in hits:
                if self._asks_so(hit, words):
                    first.setdefault(hit.record.metadata["document"], hit)
            about_things = [hit for hit in first.values() if self._is_of(hit, about)]
            hit_kinds = [kind_of_hit(hit) for hit in about_things]
            if nearest := _nearest(about_things, hit_kinds, unread):
                return [nearest]
            if kind is None and about_things:
                return about_things[:CONTEXTS]
            for accepted in (kind,), _UNDECIDED_KINDS:
                chosen = [
                    hit
                    for hit, hit_kind in zip(about_things, hit_kinds, strict=True)
                    if hit_kind in accepted
                ]
                if chosen:
                    return chosen[:CONTEXTS]
        return []

    @staticmethod
    def _asks_so(hit: Hit, words: Sequence[re.Pattern[str]]) -> bool:
        """Whether a hit has words that ask, and speaks of the people that are asked about."""
        people = [each for each in words if each in PEOPLE]
        asking = [each for each in words if each not in PEOPLE]
        said, known = hit.record.content, hit.record.metadata
        names = (known.get("title", ""), known.get("heading", ""))
        own = said.removeprefix(names[0]).strip().removeprefix(names[1])
        if _SAYS_NOTHING.search(said) or (is_chinese(said) and len(own.strip()) < _FIELD):
            return False
        asks = not asking or any(each.search(said) for each in asking)
        return asks and all(each.search(said) for each in people)

    def _is_of(self, hit: Hit, about: Sequence["_Thing"]) -> bool:
        """Whether a document is of the things: by id, by its title, or by all that its title names.

        So a text on pulmonary hypertension is none on hypertension. One on a thing names all others.
        """
        title, disease = hit.record.metadata.get("title", ""), hit.record.metadata.get("disease")
        own_title = padded(title)
        text = own_title + _joined(own_title) + padded(hit.record.content)
        if not all(
            disease in thing.ids
            or any(name in text or _joined(name) in text for name in thing.names)
            for thing in about
        ):
            return False
        if any(disease in thing.ids or own_title in thing.names for thing in about):
            return True
        if any(_joined(own_title) == _joined(name) for thing in about for name in thing.names):
            return True  # Pinkeye
        if not any(name in own_title for thing in about for name in thing.names):
            return False
        named: dict[tuple[int, int], set[str]] = {}
        for subject in find_subjects(title, self.linker):
            named.setdefault((subject.start, subject.end), set()).add(subject.id)
        return all(any(ids & thing.ids for thing in about) for ids in named.values())

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
            return tuple(_picture_statements(names, support.edges, names_by_id, things))
        rows = facts.rows.rows if facts else ()
        first_row: dict[str, int] = {}
        for number, row in enumerate(rows):
            for cell in row:
                first_row.setdefault(str(cell), number)
        types = reading.answer_types
        ids = [
            n.id for n in support.nodes if n.id not in things and (not types or n.type in types)
        ]
        if facts and (facts.query in _OF_FURTHER_KINDS or facts.less_stated):
            ids = [*dict.fromkeys(str(row[0]) for row in rows)]
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
    names: str, edges: Sequence[Edge], names_by_id: Mapping[str, str], things: Collection[str]
) -> Iterator[Statement]:
    """A sentence for each relation of the clinical picture, with what is most telling or frequent."""
    # sources that read labels or bills by machine have among the uses what a drug must not be used for
    forbidden = {(e.head, e.tail) for e in edges if e.relation == "CONTRAINDICATED_FOR"}
    for gap in WITHOUT_RELATION:
        edges_of_relation = [
            edge
            for edge in edges
            if edge.relation == gap.relation
            and not (edge.relation == "INDICATED_FOR" and (edge.head, edge.tail) in forbidden)
        ]
        edges_of_relation.sort(
            key=lambda edge: (-(edge.discrimination or 0.0), -len(edge.sources))
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


@dataclass(frozen=True)
class _Thing:
    """What a passage may be about: a disease, and what it is as a finding."""

    ids: frozenset[str]
    names: frozenset[str]
    """All of its names and synonyms, as tokens with a blank around each."""


def _things(store: Store, subjects: Sequence[Subject]) -> list[_Thing]:
    """The subjects by their places in the question: those of one place are one thing."""
    places: dict[tuple[int, int], tuple[set[str], set[str]]] = {}
    for subject in subjects:
        ids, names = places.setdefault((subject.start, subject.end), (set(), set()))
        ids.add(subject.id)
        names |= {subject.name, *all_names_of(store, subject.id)}
    return [
        _Thing(frozenset(ids), frozenset(filter(str.strip, map(padded, names))))
        for ids, names in places.values()
    ]


def _names_all(sentence: str, about: Sequence[_Thing]) -> bool:
    """Whether a sentence has a name of each of the things."""
    text = padded(sentence)
    return all(any(name in text for name in thing.names) for thing in about)


def _unread(part: Part) -> frozenset[str]:
    """The words of a part that neither ask for what is known nor name what it is about."""
    named = {word for s in part.subjects for word in padded(part.text[s.start : s.end]).split()}
    words = {word for word in content(part.text).lower().split() if word.isalpha()}
    return frozenset(word for word in words - named if len(word) >= _LETTERS)


def _nearest(hits: Sequence[Hit], kinds: Sequence[Kind], words: Collection[str]) -> Hit | None:
    """The hit with most of some words, of as many one that tells in general; None if none has any."""
    said = [sum(f" {word}" in padded(hit.record.content) for word in words) for hit in hits]
    most = max(said, default=0)
    ranks = [at for at, number in enumerate(said) if number == most > 0]
    ranks.sort(key=lambda at: (kinds[at] != "about", kinds[at] not in _UNDECIDED_KINDS))
    return hits[ranks[0]] if ranks else None


def _joined(tokens: str) -> str:
    """Tokens without the blanks between them."""
    return f" {tokens.replace(' ', '')} "


def _in_words(relation: str) -> str:
    return relation.replace("_", " ").lower()


def _query(question: Question, part: Part) -> str:
    """What is searched for: the question, or its part, with the names that it leaves out.

    Where its words are but like those of an intent, with what that is called, too.
    """
    text = question.text if len(question.parts) == 1 else part.text
    own = padded(text)
    names = dict.fromkeys(subject.name for subject in part.subjects)
    words = [text, title("headings", part.read_as)] if part.read_as else [text]
    return " ".join([*words, *(name for name in names if padded(name) not in own)])


def _distinct(subjects: Iterable[Subject]) -> list[Subject]:
    return list({subject.id: subject for subject in subjects}.values())
