"""The audit of patients: each rule that an utterance breaks, whoever said it.

Everything is held against the case, and against what the director let the patient say up to this turn:
the findings of the instructions (``tell`` and ``supplies``) and the persona; without a director, against
all that the case has. What an utterance affirms or denies is found by ``kg.linking`` and by the case's
own words. Whoever has a kind of a finding has it, so that "pain" is no news of who has told of a pain in
the chest. What an instruction has the patient do on purpose breaks no rule.
"""

import re
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple, get_args

from evalsim.agents.patient import plain, population_of
from evalsim.auditing.claims import (
    Claim,
    ClaimReader,
    Vocabulary,
    Words,
    clauses,
    is_foreign,
    is_telling,
    key,
    tokens,
)
from evalsim.auditing.hearing import question_instruction, told_instruction
from evalsim.case import DiagnosisCase, MedicationCase, Sex, Thing
from evalsim.dialogue import Dialogue, Instruction, Rule, Supply, Turn, Violation
from evalsim.judging.closeness import row_thing
from evalsim.reading.naming import TargetNames
from evalsim.reading.paraphrases import Paraphrases
from evalsim.reading.superclasses import Superclasses, SuperclassLookup
from kg.linking.linker import Linker
from kg.shipped import shipped_table
from kg.stores.store import Store

_OF_RELEASE: Final[tuple[Rule, ...]] = ("told what was not released", "volunteered")
_MOST_CASES: Final = 512
"""Cases of which what was asked of the graph is kept."""
_LONGEST: Final = 4_000
"""Characters of an utterance that are read."""
_AGE_MARGIN: Final = 1.5


class _CaseKnowledge(NamedTuple):
    """What the audit knows of a case."""

    names: TargetNames
    paraphrases: Paraphrases
    target: frozenset[str]
    """Ids of the target, and of the findings that it is."""
    things: Mapping[str, Thing]
    """Findings, what is absent, or facts, by id."""
    vocabulary: Vocabulary
    """Their words."""


class _Allowed(NamedTuple):
    """What may be said by a turn."""

    yes: frozenset[str]
    """What was let out, or is of the persona."""
    denied: frozenset[str]
    """What was answered with no."""
    unknown: frozenset[str]
    tokens: frozenset[str]
    """Of the names and words of what is let out."""
    words: "Words"
    """The words of what is let out."""
    words_heard: "Words"
    """And of what the doctor has asked for."""


class Auditor:
    """Audits patients' utterances; threads may share it."""

    def __init__(
        self, store: Store, linker: Linker, lookup: SuperclassLookup | None = None
    ) -> None:
        """Audit by a graph.

        Args:
            store: the graph.
            linker: of its names.
            lookup: of the superclasses of its things, where there is one already.
        """
        self._store, self._linker, self._lookup = store, linker, lookup or SuperclassLookup(store)
        table = shipped_table(__package__, "audit.yaml")
        self._cues = {
            name: _any(table[name])
            for name in (
                "denied_after",
                "unsure",
                "refusing",
                "unknowing",
                "denying",
                "affirming",
                "ending",
                "worry",
                "age",
            )
        }
        hedges = [self._cues[name] for name in ("unsure", "refusing")]
        self._claims = ClaimReader(linker, hedges, self._cues["denied_after"], self._cues["worry"])
        self._sexes = {sex: _any(table["sex"][sex]) for sex in get_args(Sex)}
        self._cases: OrderedDict[tuple[str, str], _CaseKnowledge] = OrderedDict()
        self._lock = Lock()

    def audit(
        self,
        case: DiagnosisCase | MedicationCase,
        dialogue: Dialogue,
        turn: Turn,
        *,
        directed: bool = True,
    ) -> tuple[Violation, ...]:
        """The rules that the patient breaks in a turn, in the order of the text.

        Args:
            case: that the dialogue is about.
            dialogue: with all turns before this one; later ones are not looked at.
            turn: whose ``patient`` is audited by its ``instruction``.
            directed: whether somebody says what may be told. Else all of the case may be, the
                turn's instruction says only what the doctor asked for, those of earlier turns what
                was said, and no rule is about release.
        """
        text = turn.patient[:_LONGEST]
        knowledge = self._knowledge(case)
        earlier_turns = [each for each in dialogue.turns if each.number < turn.number]
        instructions = [*(each.instruction for each in earlier_turns), turn.instruction]
        allowed = _allowed(case, dialogue, instructions, directed=directed)
        violations = list(self._leaks(case, knowledge, allowed, text))
        leaks = [(each.start or 0, each.stop or 0) for each in violations]
        claims = [
            claim
            for claim in self._claims.read(text, knowledge.vocabulary, allowed.tokens)
            if not any(start < claim.stop and claim.start < stop for start, stop in leaks)
        ]
        violations += self._violations_of_claims(case, knowledge, allowed, turn, claims)
        violations += self._violations_of_answers(
            turn.instruction, claims, text, directed=directed
        )
        violations += self._violations_of_persona(dialogue, text)
        if ending := self._cues["ending"].search(text):
            violations.append(_violation("ended early", ending[0], *ending.span()))
        if is_foreign(text, case.language, _foreign_names(case, turn.instruction)):
            violations.append(_violation("wrong language", case.language))
        if not directed:
            violations = [each for each in violations if each.rule not in _OF_RELEASE]
        distinct = {(each.rule, each.about): each for each in reversed(violations)}
        return tuple(sorted(distinct.values(), key=lambda v: (v.start or 0, v.rule, v.about)))

    def instruction_for(
        self, case: DiagnosisCase | MedicationCase, turns: Sequence[Turn], turn: Turn
    ) -> Instruction:
        """What a patient without a director has said, as the instruction for it.

        Args:
            case: that the dialogue is about.
            turns: before this one.
            turn: with what the rules of a dialogue had planned for the patient, and what it said.
        """
        text = turn.patient[:_LONGEST]
        knowledge = self._knowledge(case)
        claims = self._claims.read(text, knowledge.vocabulary, frozenset())
        if isinstance(case, MedicationCase):
            words = knowledge.vocabulary.words
            return question_instruction(
                case, turn.instruction, turns=turns, text=text, claims=claims, words=words
            )
        reading = turns[-1].reading if turns else None
        things_asked = reading.asked if reading else ()
        thing_of = {id_: thing.bare() for id_, thing in knowledge.things.items()}
        unknown_ids = [c.id for c in claims if c.id not in thing_of and c.type != "Drug"]
        for row in (
            self._store.query("entity.labels", entities=unknown_ids).dicts() if unknown_ids else ()
        ):
            thing_of[str(row["entity_id"])] = row_thing(row, "entity")
        superclasses = self._lookup.of([*thing_of, *(thing.id for thing in things_asked)])
        denial, affirmation = (self._cues[cue].search(text) for cue in ("denying", "affirming"))
        answer = False if denial else True if affirmation else None
        return told_instruction(
            case,
            turn.instruction,
            things_asked=things_asked,
            claims=claims,
            thing_of=thing_of,
            superclasses=superclasses,
            answer=answer,
        )

    def _leaks(
        self,
        case: DiagnosisCase | MedicationCase,
        knowledge: _CaseKnowledge,
        allowed: _Allowed,
        text: str,
    ) -> Iterator[Violation]:
        """The disease by its names, concepts or other words; of a drug everybody may speak."""
        if isinstance(case, MedicationCase):
            return
        name_spans = knowledge.names.find(text)
        for start, stop in name_spans:
            yield _violation("named the target", text[start:stop], start, stop)
        if not name_spans:
            matches = allowed.words_heard.find(text)
            for start, stop in knowledge.paraphrases.find(text, allowed.tokens):
                if not any(
                    other_start <= start and stop <= other_stop
                    for other_start, other_stop, _ in matches
                ):
                    yield _violation("paraphrased the target", text[start:stop], start, stop)

    def _violations_of_claims(
        self,
        case: DiagnosisCase | MedicationCase,
        knowledge: _CaseKnowledge,
        allowed: _Allowed,
        turn: Turn,
        claims: Sequence[Claim],
    ) -> Iterator[Violation]:
        """What is affirmed that was not released, or denied that is so."""
        claim_ids = (claim.id for claim in claims)
        superclasses = self._lookup.of(
            [*claim_ids, *knowledge.things, *allowed.yes, *allowed.denied]
        )
        for claim in claims:
            is_released = any(
                superclasses.is_a(released_id, claim.id) for released_id in allowed.yes
            )
            words = turn.patient[claim.start : claim.stop]
            rule: Rule | None = None
            if claim.polarity == "denied":
                rule = "contradicted" if is_released else None
            elif isinstance(case, DiagnosisCase) and claim.id in knowledge.target - allowed.yes:
                rule = "named the target"
            elif isinstance(case, MedicationCase):
                is_asked = self._is_asked(case, knowledge, allowed, claim, turn.patient)
                rule = (
                    None
                    if is_released or is_asked
                    else _rule_of(claim, words, knowledge, allowed, superclasses)
                )
            elif claim.polarity == "affirmed" and not is_released:
                rule = _rule_of(claim, words, knowledge, allowed, superclasses)
            if rule is None or (
                rule != "contradicted" and _is_said(knowledge, allowed, claim, turn)
            ):
                continue
            if rule == "told what was not released" and turn.instruction.intent == "ask back":
                rule = "volunteered"
            about = words if rule == "invented" else claim.id
            yield _violation(rule, about, claim.start, claim.stop)

    def _is_asked(
        self,
        case: MedicationCase,
        knowledge: _CaseKnowledge,
        allowed: _Allowed,
        claim: Claim,
        text: str,
    ) -> bool:
        """Whether a claim is the drug, part of its name, or who the question is about."""
        name_spans = knowledge.names.find(text)
        if claim.id == case.target.id or any(
            a < claim.stop and claim.start < b for a, b in name_spans
        ):
            return True
        population = population_of(text[claim.start : claim.stop])
        return population is not None and any(
            population == population_of(fact.name) for fact in case.facts if fact.id in allowed.yes
        )

    def _violations_of_answers(
        self, instruction: Instruction, claims: Sequence[Claim], text: str, *, directed: bool
    ) -> Iterator[Violation]:
        """Whether what the doctor asked for is answered as the director says, or as it is."""
        answered_yes = [s for s in instruction.supplies if s.answer == "yes"]
        affirmed = {c.id for c in claims if c.polarity == "affirmed"}
        is_a = self._lookup.of(affirmed).is_a
        answering_text = "".join(
            text[start:stop]
            for start, stop in clauses(text)
            if not any(
                self._cues[cue].search(text, start, stop) for cue in ("refusing", "unknowing")
            )
        )
        unanswered = [
            s
            for s in answered_yes
            if s.about.id not in affirmed
            and s.releases not in affirmed
            and not any(is_a(id_, s.about.id) for id_ in affirmed)
            and not _says_most_of(s.about, answering_text)
        ]
        refusal = self._cues["refusing"].search(text)
        unsure = None if instruction.vague else self._cues["unknowing"].search(text)
        facts = [t for t in instruction.topics if t in ("age", "sex")]
        if unanswered and (refusal := refusal or unsure):
            yield _violation("refused a known fact", unanswered[0].about.id, *refusal.span())
        elif (
            unanswered
            and len(instruction.supplies) == len(answered_yes)
            and self._cues["denying"].search(text)
            and not any(c.polarity == "denied" for c in claims)
        ):
            yield _violation("contradicted", unanswered[0].about.id, 0, len(text))
        elif refusal and not instruction.withheld and (facts or (directed and instruction.tell)):
            yield _violation(
                "refused a known fact", "".join(facts[:1]) or refusal[0], *refusal.span()
            )
        answered_no = [s for s in instruction.supplies if s.answer == "no"]
        things_told = (*instruction.tell, *instruction.fabricated)
        only_no = answered_no and len(answered_no) == len(instruction.supplies) and not things_told
        if only_no and not claims and self._cues["affirming"].search(text):
            is_known = directed or answered_no[0].source == "graph"
            rule: Rule = "contradicted" if is_known else "invented"
            yield _violation(rule, answered_no[0].about.id, 0, len(text))

    def _violations_of_persona(self, dialogue: Dialogue, text: str) -> Iterator[Violation]:
        """Another age or sex than the persona's."""
        persona = dialogue.plan.persona
        if age := self._cues["age"].search(text):
            age_said = next(float(value) for value in age.groupdict().values() if value)
            months = re.match(r"\W{0,2}(?:months?|个?月)", text[age.end() :])
            if not months and abs(age_said - persona.age) > _AGE_MARGIN:
                yield _violation("contradicted", "age", *age.span())
        other_sex: Sex = "male" if persona.sex == "female" else "female"
        if persona.speaker == "patient" and (sex := self._sexes[other_sex].search(text)):
            yield _violation("contradicted", "sex", *sex.span())

    def _knowledge(self, case: DiagnosisCase | MedicationCase) -> _CaseKnowledge:
        """What is asked of the graph for a case, once."""
        case_key = (case.id, case.graph)
        with self._lock:
            if knowledge := self._cases.get(case_key):
                self._cases.move_to_end(case_key)
                return knowledge
        knowledge = self._read_knowledge(case)
        with self._lock:
            self._cases[case_key] = knowledge
            while len(self._cases) > _MOST_CASES:
                self._cases.popitem(last=False)
        return knowledge

    def _read_knowledge(self, case: DiagnosisCase | MedicationCase) -> _CaseKnowledge:
        things: Sequence[Thing] = (
            (*case.findings, *case.absent) if isinstance(case, DiagnosisCase) else case.facts
        )
        by_id = {thing.id: thing for thing in things}
        rows = self._store.query("entity.close_matches", entity=case.target.id).dicts()
        target_rows = self._store.query("entity.by_id", entity=case.target.id).dicts()
        definition = str(target_rows[0]["definition"] or "") if target_rows else ""
        return _CaseKnowledge(
            names=TargetNames.of_case(case),
            paraphrases=Paraphrases.of_case(case, definition),
            target=frozenset(
                {case.target.id, *(str(row["other_id"]) for row in rows)} - by_id.keys()
            ),
            things=by_id,
            vocabulary=Vocabulary(
                {t.id: (t.called(case.language), *t.words) for t in things},
                {t.id: t.type for t in things},
            ),
        )


def _allowed(
    case: DiagnosisCase | MedicationCase,
    dialogue: Dialogue,
    instructions: Sequence[Instruction],
    *,
    directed: bool,
) -> _Allowed:
    """What the director let the patient say with these instructions; without one, what is so."""
    things: Sequence[Thing] = case.findings if isinstance(case, DiagnosisCase) else case.facts
    by_id = {thing.id: thing for thing in things}
    supplies: list[Supply] = [s for each in instructions for s in each.supplies]
    released: dict[str, Thing] = {} if directed else dict(by_id)
    released |= {t.id: t for each in instructions for t in (*each.tell, *each.fabricated)}
    released |= {s.about.id: s.about for s in supplies if s.answer == "yes"}
    released |= {s.releases: by_id[s.releases] for s in supplies if s.releases in by_id}
    released |= {thing.id: thing for thing in dialogue.plan.persona.history}
    released |= {each.fact.id: each.fact for each in instructions if each.fact}
    denied = {s.about.id for s in supplies if s.answer == "no"}
    if not directed and isinstance(case, DiagnosisCase):
        denied = {thing.id for thing in case.absent}
    id_of_words = {
        key(name): thing.id
        for thing in released.values()
        for name in (*thing.names, plain(thing, case.language))
        if is_telling(name)
    }
    id_of_words_heard = {
        key(name): s.about.id
        for s in supplies
        for name in (s.about.called(case.language), *s.about.words)
    }
    return _Allowed(
        yes=frozenset(released),
        denied=frozenset(denied - released.keys()),
        unknown=frozenset(s.about.id for s in supplies if s.answer == "not known"),
        tokens=frozenset(token for name in id_of_words for token in tokens(name)),
        words=Words(id_of_words),
        words_heard=Words(id_of_words | id_of_words_heard),
    )


def _rule_of(
    claim: Claim,
    words: str,
    knowledge: _CaseKnowledge,
    allowed: _Allowed,
    superclasses: Superclasses,
) -> Rule | None:
    """The rule that a claim of what was not released breaks; None: it is other words for what was."""
    is_specific = any(superclasses.is_a(claim.id, other_id) for other_id in allowed.yes)
    if any(superclasses.is_a(claim.id, denied_id) for denied_id in allowed.denied):
        return "contradicted"
    if any(
        superclasses.is_a(other_id, claim.id) or superclasses.is_a(claim.id, other_id)
        for other_id in knowledge.things
    ):
        return (
            None
            if is_specific and claim.id not in knowledge.things
            else "told what was not released"
        )
    return None if is_specific or _are_like(tokens(words), allowed.tokens) else "invented"


def _is_said(knowledge: _CaseKnowledge, allowed: _Allowed, claim: Claim, turn: Turn) -> bool:
    """Whether a claim is part of the words for what is let out, or was asked for."""
    matches = [each for each in allowed.words_heard.find(turn.patient) if each.id != claim.id]
    matches += allowed.words.find(turn.patient)
    if any(start <= claim.start and claim.stop <= stop for start, stop, _ in matches):
        return True
    words = tokens(turn.patient[claim.start : claim.stop])
    return bool(words) and words <= allowed.tokens and claim.id not in knowledge.things


def _are_like(words: set[str], other_words: Collection[str]) -> bool:
    """Whether half of some words are among others."""
    return len(words.intersection(other_words)) * 2 >= len(words) > 0


def _says_most_of(thing: Thing, text: str) -> bool:
    """Whether a text has most of the words for a thing."""
    words = tokens(text)
    return any(
        (name_tokens := tokens(name)) and len(name_tokens & words) * 2 >= len(name_tokens)
        for name in thing.names
    )


def _foreign_names(
    case: DiagnosisCase | MedicationCase, instruction: Instruction
) -> Iterator[str]:
    """What may be said in another language: names of drugs, and what was asked for by such a name."""
    facts = (instruction.fact,) if instruction.fact else ()
    for thing in (
        case.target,
        *facts,
        *instruction.tell,
        *(s.about for s in instruction.supplies),
    ):
        yield from (thing.name, *thing.words)


def _violation(
    rule: Rule, about: str, start: int | None = None, stop: int | None = None
) -> Violation:
    return Violation(rule=rule, about=about, start=start, stop=stop)


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    """One expression of many; groups of one name come once each."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
