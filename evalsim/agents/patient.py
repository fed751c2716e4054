"""The patient that medkg plays: says in everyday words what the director lets it say, and no more.

A patient knows its persona and its instruction. Its words for a finding are those that people use, as
the case has them, else the name in plain words. Who cannot speak is spoken for ("my son", 孩子).
The same brief gives the same words.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from evalsim.briefs import SpeakBrief, UndirectedBrief
from evalsim.case import DiagnosisCase, Language, Thing
from evalsim.dialogue import Instruction, Supply, Topic, Turn
from evalsim.plan import Persona
from evalsim.reading.naming import in_sentence
from kg.shipped import shipped_table
from kg.stores.store import Store

_USUAL_WORDS: Final = 3
"""Of the everyday words for a finding, from how many one is drawn."""
_CONDITIONS: Final = ("Disease", "Symptom")
_ADULT: Final = 18.0
_BABY: Final = 2.0
_OLD: Final = 45.0
_SMOKES: Final = 13.0
"""Years below which nobody is asked in earnest."""
_RETIRED: Final = 68.0
_IMPRECISE: Final[tuple[Topic, ...]] = ("duration", "severity", "place", "course", "details")
"""Topics on which a vague patient has nothing to say."""
_FERTILE: Final = (16.0, 48.0)
_POPULATIONS: Final = (
    (
        "breastfeeding",
        re.compile(
            r"breast-?feed|lactati|lactating|\bnursing (?:mother|wom[ae]n|infant)|哺乳|喂奶|授乳",
            re.IGNORECASE,
        ),
    ),
    ("pregnant", re.compile(r"pregnan|gestation|(?<![不避受])孕(?![激酮])|妊娠", re.IGNORECASE)),
    (
        "child",
        re.compile(
            r"\bchild(?:ren|hood)?\b(?!-)|pa?ediatric|infant|newborn|neonat|儿童|小儿|婴|幼儿|新生儿",
            re.IGNORECASE,
        ),
    ),
    ("old", re.compile(r"elderly|geriatric|\b(?:aged|older)\b|老年|老人", re.IGNORECASE)),
    ("allergy", re.compile(r"hypersensitiv|allerg|过敏", re.IGNORECASE)),
)

_SOME_OF_THEM: Final = re.compile(
    r"\b(?:women|patients|people|children|infants|adults) (?:with|who|on)\b|合并|伴有|患有"
)
"""What narrows a group of people."""


def speak(brief: SpeakBrief) -> str:
    """What the patient says.

    Args:
        brief: all that the patient knows.
    """
    voice = _Voice(brief.language, brief.persona, brief.turns, brief.seed)
    if brief.instruction.intent == "ask":
        return voice.asked_about(brief.instruction, brief.drug or "")
    return voice.told(brief.instruction)


def speak_undirected(store: Store, brief: UndirectedBrief) -> str:
    """What a patient without a director says: of the case as it is, in no order, with no guard.

    Of the ablation of MedKGEval (tables 6 and 7): it tells what a disease has whether this patient
    can have it or not, in the words of textbooks, and answers what it is asked for as it likes.

    Args:
        store: the graph, for the names of what is asked for.
        brief: all that the patient knows.
    """
    case, turns = brief.case, brief.turns
    rng = Random(f"{brief.seed}:{case.id}:{len(turns)}:undirected")
    voice = _Voice(brief.language, brief.persona, turns, brief.seed, plain=False)
    if not isinstance(case, DiagnosisCase):
        fact = rng.choice(case.facts)
        drug = case.target.called(brief.language)
        instruction = Instruction(intent="ask", attribute=fact.attribute, fact=fact.bare())
        return voice.asked_about(instruction, drug)
    released = {id_ for turn in turns for id_ in turn.instruction.released}
    unreleased = [f for f in case.findings if f.id not in released]
    if not unreleased:
        return voice.told(Instruction(intent="ask for a diagnosis"))
    tell = tuple(
        f.bare() for f in rng.sample(unreleased, min(rng.choice((1, 2, 3)), len(unreleased)))
    )
    reading = turns[-1].reading if turns else None
    things_asked = reading.asked if reading else ()
    rows = (
        store.query("entity.labels", entities=[t.id for t in things_asked]).dicts()
        if things_asked
        else ()
    )
    known_ids = {str(row["entity_id"]) for row in rows}
    supplies = tuple(
        Supply(about=thing, answer=rng.choice(("yes", "no")), source="filler")
        for thing in things_asked
        if thing.id in known_ids
    )
    topics = reading.topics if reading else ()
    if supplies or topics:
        answer = Instruction(intent="answer", supplies=supplies, topics=topics, tell=tell[:1])
        return voice.told(answer)
    return voice.told(Instruction(intent="tell" if turns else "open", tell=tell))


def population_of(name: str) -> str | None:
    """Whom a name speaks of: pregnant women, children, old people, the allergic; None: of nobody.

    Of pregnant women with rheumatoid arthritis less is said than of pregnant women, so that these are none.
    """
    if _SOME_OF_THEM.search(name):
        return None
    return next((who for who, words in _POPULATIONS if words.search(name)), None)


def plain(thing: Thing, language: Language) -> str:
    """The name of a thing, as far as it can be said in plainer words."""
    name = in_sentence(thing.called(language), thing.id)
    for pattern, words in _table(language)["plain"]:
        name = re.sub(pattern, words, name)
    return re.sub(r"\s*[（(][^)）]*[)）]", "", name)


class _Voice:
    """How somebody speaks: the language, who they are, and what they have said so far."""

    def __init__(
        self,
        language: Language,
        persona: Persona,
        turns: Sequence[Turn],
        seed: int,
        *,
        plain: bool = True,
    ) -> None:
        self._table = _table(language)
        self._language, self._persona, self._turns = language, persona, turns
        self._seed, self._plain = seed, plain
        self._rng = Random(f"{seed}:{len(turns)}:{persona.style}")
        self._pronouns = _pronouns(language, persona, first=not turns)

    def told(self, instruction: Instruction) -> str:
        """What is said in a diagnosis."""
        if instruction.intent == "ask back":
            return self._fresh(self._table["ask_back"])
        if instruction.intent == "ask for a diagnosis":
            return self._fresh(self._table["diagnosis"])
        sentences = self._answers(instruction)
        topics = instruction.topics
        sentences += dict.fromkeys(self._topic(t, instruction) for t in topics)
        if self._persona.pregnant and "sex" in topics and "pregnancy" not in topics:
            # nobody who is asked about herself leaves that out
            sentences.append(self._filled(self._table["topics"]["is_pregnant"]))
        sentences += [self._withheld_line(thing) for thing in instruction.withheld]
        opening = "open" if instruction.intent == "open" else "tell"
        felt_words, test_sentences = self._by_test(
            (*instruction.tell, *instruction.fabricated), instruction
        )
        if felt_words:
            sentences.append(self._line(self._lines(opening, instruction), felt_words))
        elif instruction.vague and instruction.intent in ("open", "tell"):
            sentences.append(self._filled(self._fresh(self._table["vague"]["lost"])))
        sentences += test_sentences
        space: str = self._table["space"]
        return space.join(sentences) or self._fresh(self._table["nothing"])

    def asked_about(self, instruction: Instruction, drug: str) -> str:
        """A question about a drug."""
        fact, questions = instruction.fact, self._table["ask"]
        if fact is None or instruction.attribute is None:
            return self._fresh(self._table["ask_back"])
        words = self._in_own_words(fact)
        population = population_of(fact.name)
        if instruction.attribute == "interaction":
            lines = questions["interaction"]
        elif instruction.attribute == "precaution" and fact.type == "Precaution":
            # what is to be done is asked for, not told
            lines = questions["precaution"]["instruction"]
        elif population and instruction.attribute != "indication":
            lines = questions[population]
            if population in ("pregnant", "breastfeeding") and not self._may_be_pregnant():
                lines = questions[f"relative_{population}"]
        else:
            is_condition = fact.type in _CONDITIONS and not self._is_speechless(fact)
            lines = questions[instruction.attribute]["condition" if is_condition else "other"]
        if instruction.attribute == "interaction" or self._language == "zh":
            fact_words = words
        else:
            fact_words = self._with_article(words)
        return self._filled(self._rng.choice(lines), fact=fact_words, drug=drug)

    def _is_speechless(self, fact: Thing) -> bool:
        """Whether who has it cannot ask (coma)."""
        name = (fact.name_zh if self._language == "zh" else None) or fact.name
        pattern = self._table["patterns"]["speechless"]
        return re.search(pattern, name, re.IGNORECASE) is not None

    def _may_be_pregnant(self) -> bool:
        first, last = _FERTILE
        return self._persona.sex == "female" and first <= self._persona.age <= last

    def _lines(self, key: str, instruction: Instruction) -> Sequence[str]:
        """The lines by which something is said, in this person's style or vaguely."""
        lines: Mapping[str, Any] = self._table["vague" if instruction.vague else key]
        style_lines: Sequence[str] = lines[key if instruction.vague else self._persona.style]
        return style_lines

    def _by_test(
        self, things: Sequence[Thing], instruction: Instruction
    ) -> tuple[list[str], list[str]]:
        """The words for what is felt, and what is said of what a test showed."""
        distinct = {thing.id: thing for thing in things}.values()
        felt_words = [
            self._in_own_words(thing) for thing in distinct if thing.id not in instruction.tested
        ]
        shown_words = [
            self._in_own_words(thing) for thing in distinct if thing.id in instruction.tested
        ]
        if not shown_words:
            return felt_words, []
        joined = (
            _joined(shown_words, ", ", " and ")
            if self._language == "en"
            else "、".join(shown_words)
        )
        return felt_words, [self._filled(self._rng.choice(self._table["test"]), xs=joined)]

    def _withheld_line(self, thing: Thing) -> str:
        """What is said in place of a finding that is had: it is denied, or not talked about."""
        manner = Random(f"{self._seed}:{thing.id}:kept back").choice(("evade", "deny"))
        return self._fresh(self._table[manner])

    def _answers(self, instruction: Instruction) -> list[str]:
        sentences = []
        supplies = instruction.supplies
        felt_words, test_sentences = self._by_test(
            [s.about for s in supplies if s.answer == "yes"], instruction
        )
        if felt_words:
            sentences.append(self._line(self._lines("yes", instruction), felt_words))
        sentences += test_sentences
        for answer, lines in (
            ("no", self._lines("no", instruction)),
            ("not known", self._table["unknown"]),
        ):
            things = [s.about for s in supplies if s.answer == answer]
            diseases = [thing for thing in things if thing.type == "Disease"]
            if answer == "not known" and diseases:  # by no name: it may be what is looked for
                sentences.append(self._filled(self._fresh(self._table["undiagnosed"])))
                things = [thing for thing in things if thing not in diseases]
            words = [self._deniable(thing) for thing in things]
            if words:
                joined = self._alternatives(words, denied=answer == "no")
                sentences.append(self._filled(self._rng.choice(lines), xs=joined))
        return sentences

    def _alternatives(self, words: Sequence[str], *, denied: bool) -> str:
        if self._language == "en":
            return _joined(words, ", ", " or ")
        return ("，也没有" if denied else "、").join(words)

    def _line(self, lines: Sequence[str], words: Sequence[str]) -> str:
        """One of some lines, with findings in it, and the verb that they take."""
        if self._language == "zh":
            predicate = self._table["patterns"]["predicate"]
            phrases = [w if re.search(predicate, w) else f"有{w}" for w in words]
            return self._filled(self._rng.choice(lines), x=_joined(phrases, "，还", "，还"))
        line = self._rng.choice(lines)
        forms = [self._form(word) for word in words]
        if len(words) == 1 and "{have} {x}" in line:
            verb, phrase = forms[0]
            return self._filled(line.replace("{have} {x}", f"{verb} {phrase}"))
        if "{have} {x}" not in line:
            return self._filled(line, x=_joined([phrase for _, phrase in forms], ", ", " and "))
        by_verb: dict[str, list[str]] = {"{have}": []}
        for verb, phrase in forms:
            by_verb.setdefault(verb, []).append(phrase)
        clauses = [
            f"{verb} {_joined(phrases, ', ', ' and ')}".strip()
            for verb, phrases in by_verb.items()
            if phrases
        ]
        return self._filled(line.replace("{have} {x}", ", and {I} ".join(clauses)))

    def _form(self, words: str) -> tuple[str, str]:
        """The verb that goes before some words, and the words as they follow it."""
        patterns: Mapping[str, str] = self._table["patterns"]
        if re.search(patterns["adjective"], words, re.IGNORECASE):
            return "{am}", words
        if re.search(patterns["clause"], words, re.IGNORECASE):
            return "", words
        if re.search(patterns["gerund"], words, re.IGNORECASE):
            return "{have} been", words
        return "{have}", self._with_article(words)

    def _with_article(self, words: str) -> str:
        if self._language == "zh":
            return words
        needs_article = re.search(self._table["patterns"]["article"], words, re.IGNORECASE)
        is_vowel = re.match(r"(?!one\b|uni|eu|us|ur[aeiou])[aeiou]", words, re.IGNORECASE)
        return f"{'an' if is_vowel else 'a'} {words}" if needs_article else words

    def _topic(self, topic: Topic, instruction: Instruction) -> str:
        table, persona = self._table["topics"], self._persona
        line: Any = table[self._topic_of(topic)]
        if instruction.vague and topic in _IMPRECISE:
            line = self._table["vague"]["topics"]
        if isinstance(line, list):  # the same in every turn
            line = Random(f"{self._seed}:{topic}").choice(line)
        age = persona.age
        months = age < _BABY
        age_line = self._table["months" if months else "years"]
        number = max(1, round(age * 12)) if months else int(age)
        history = [self._in_own_words(thing) for thing in persona.history]
        return self._filled(
            line,
            age=age_line.format(n=number),
            sex=self._table["sexes"][persona.sex],
            history=_joined(history, "、", "和")
            if self._language == "zh"
            else _joined(history, ", ", " and "),
        )

    def _topic_of(self, topic: Topic) -> str:
        """The name of the line that answers on a topic, as the persona is."""
        persona, habit = self._persona, topic in ("smoking", "alcohol")
        lines = {
            "no_history": topic == "history" and not persona.history,
            "pregnant": topic == "pregnancy" and persona.pregnant,
            "not_pregnant": topic == "pregnancy" and not self._may_be_pregnant(),
            "young": habit and persona.age < _SMOKES,
            "child": topic == "occupation" and persona.age < _ADULT,
            "retired": topic == "occupation" and persona.age >= _RETIRED,
        }
        return next((line for line, holds in lines.items() if holds), topic)

    def _in_own_words(self, thing: Thing) -> str:
        """A thing in this person's words."""
        if thing.words and self._plain:
            usual = thing.words[:_USUAL_WORDS]
            draw = Random(f"{self._seed}:{thing.id}")
            return in_sentence(draw.choice(usual))
        if self._plain:
            return plain(thing, self._language)
        return in_sentence(thing.called(self._language), thing.id)

    def _deniable(self, thing: Thing) -> str:
        """A thing in words behind 没有: its name, where this person's words deny something themselves."""
        words = self._in_own_words(thing)
        return in_sentence(thing.called("zh"), thing.id) if words.startswith("没") else words

    def _fresh(self, lines: Sequence[str]) -> str:
        """One of some lines, if there is one that was not said before."""
        already_said = {turn.patient for turn in self._turns}
        return self._rng.choice(
            [line for line in lines if line not in already_said] or list(lines)
        )

    def _filled(self, line: str, **values: str) -> str:
        for name, value in {**self._pronouns, **values}.items():
            line = line.replace(f"{{{name}}}", value)
        line = re.sub(r" {2,}", " ", line).strip()
        return re.sub(r"(?:^|[.?!] )[a-z]", lambda match: match[0].upper(), line)


def _pronouns(language: Language, persona: Persona, *, first: bool) -> dict[str, str]:
    """The words for who has it."""
    male = persona.sex == "male"
    if persona.speaker == "patient":
        if language == "zh":
            return {
                "I": "我",
                "me": "我",
                "have": "有",
                "am": "是",
                "do": "",
            }
        return {
            "I": "I",
            "me": "me",
            "have": "have",
            "am": "am",
            "do": "do",
        }
    if language == "zh":
        if persona.age < _ADULT and persona.speaker in ("mother", "father"):
            name = "孩子"
        elif persona.speaker == "spouse":
            name = "我老公" if male else "我老婆"
        else:
            name = (
                ("我爸" if male else "我妈")
                if persona.age >= _OLD
                else ("我弟弟" if male else "我妹妹")
            )
        return {
            "I": name,
            "me": name,
            "have": "有",
            "am": "是",
            "do": "",
        }
    if persona.age < _ADULT and persona.speaker in ("mother", "father"):
        name = "my son" if male else "my daughter"
    elif persona.speaker == "spouse":
        name = "my husband" if male else "my wife"
    elif persona.age >= _OLD:
        name = "my father" if male else "my mother"
    else:
        name = "my brother" if male else "my sister"
    subject = name if first else ("he" if male else "she")
    return {
        "I": subject,
        "me": "him" if male else "her",
        "have": "has",
        "am": "is",
        "do": "does",
    }


def _joined(words: Sequence[str], separator: str, last_separator: str) -> str:
    if len(words) <= 1:
        return "".join(words)
    return separator.join(words[:-1]) + last_separator + words[-1]


@cache
def _table(language: Language) -> Mapping[str, Any]:
    table: Mapping[str, Any] = shipped_table("evalsim.agents", "patient.yaml")[language]
    return table
