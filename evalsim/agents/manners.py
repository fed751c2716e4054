"""What a patient does on purpose: is vague, keeps things back, or makes things up.

Real patients do so, and published simulators let theirs: PatientSim's recall little or distrust the
doctor, AgentClinic's are biased. Here each is chosen before the first word, by the graph and a seed, and
is written into the plan and every instruction, so that an audit can tell it from a fault:

* vague: of a finding only the group that it is a kind of is told, until the doctor asks for the finding;
* withholding: a third of the findings, embarrassing ones first, is told when it is asked for again;
* fabricating: two findings that the case has not got are told as if they were had.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from evalsim.case import DiagnosisCase, Finding, Language, Thing
from evalsim.cases.pool import EverydayWords, own_name, thing_of
from evalsim.cases.wording import Names, fault
from evalsim.plan import Conduct, Manner, Plan
from evalsim.reading.kinds import Broader, Kinds
from evalsim.reading.paraphrases import Secret
from evalsim.reading.patients import ids
from kg.stores.store import Store

_WITHHELD: Final = 1 / 3
"""Share of the findings."""
_FABRICATED: Final = 2
_DENIES: Final = re.compile(r"\b(absen\w+|no|not|without|lack\w*|failure|loss)\b|无|没|缺|不")
_LOOKED_AT: Final = 200
"""Findings among which those that are made up are sought."""


class Manners:
    """Draws what patients do on purpose; threads may share it."""

    def __init__(self, store: Store, kinds: Kinds, table: Mapping[str, Any]) -> None:
        """Draw by a graph.

        Args:
            store: the graph.
            kinds: of the graph's things.
            table: ``director.yaml``.
        """
        self._store, self._kinds = store, kinds
        self._groups = [
            (id_, label, {"en": row["en"], "zh": row["zh"]})
            for row in table["groups"]
            for id_, _, label in [row["term"].partition(" ")]
        ]
        self._embarrassing, self._complaints = (
            ids(table[key]) for key in ("embarrassing", "complaints")
        )

    def conduct(
        self,
        case: DiagnosisCase,
        plan: Plan,
        manner: Sequence[Manner],
        seed: int,
        fits: Callable[[Finding, Broader], bool],
    ) -> Conduct:
        """What a patient does on purpose.

        Args:
            case: that the dialogue is about.
            plan: who the patient is, and what it has.
            manner: how the patient is; none: it does nothing on purpose.
            seed: of what is drawn.
            fits: whether this patient could have a finding, by the kinds of it.

        Raises:
            StoreError: the store failed.
        """
        has = (*plan.told, *plan.further)
        kinds = self._kinds.of(has)
        return Conduct(
            vague="vague" in manner,
            groups=self._groups_of(case, has, kinds) if "vague" in manner else {},
            withheld=self._withheld(case, has, kinds, seed) if "withholding" in manner else (),
            fabricated=self._made_up(case, seed, fits) if "fabricating" in manner else (),
        )

    def _groups_of(
        self, case: DiagnosisCase, has: Sequence[str], kinds: Broader
    ) -> dict[str, Thing]:
        secret = Secret.of_case(case)
        groups = [
            Thing(id=id_, type="Symptom", name=label, words=(words[case.language],))
            for id_, label, words in self._groups
            if not secret.is_told_by(words[case.language])
        ]
        things_by_id: dict[str, Thing] = {}
        for finding in has:
            wider = (g for g in groups if g.id != finding and kinds.is_kind(finding, g.id))
            if group := next(wider, None):
                things_by_id[finding] = group
        return things_by_id

    def _withheld(
        self, case: DiagnosisCase, has: Sequence[str], kinds: Broader, seed: int
    ) -> tuple[str, ...]:
        """A share of the findings, never the one that the patient comes with."""
        rng = Random(f"{seed}:{case.id}:withheld")
        rest = sorted(has[1:])
        rng.shuffle(rest)
        rest.sort(key=lambda id_: not kinds.is_any(id_, self._embarrassing))
        return tuple(rest[: max(1, round(len(has) * _WITHHELD))])

    def _made_up(
        self, case: DiagnosisCase, seed: int, fits: Callable[[Finding, Broader], bool]
    ) -> tuple[Thing, ...]:
        """Findings in everyday words that have nothing to do with those of the case."""
        rng = Random(f"{seed}:{case.id}:fabricated")
        every = self._findings[case.language]
        drawn = rng.sample(every, min(_LOOKED_AT, len(every)))
        own = [thing.id for thing in (*case.findings, *case.absent)]
        kinds = self._kinds.of([*own, *(thing.id for thing in drawn)])
        words = EverydayWords.of_store(self._store, [t.id for t in drawn], case.language)
        names = Names.of(case.target, case.synonyms)
        made_up: list[Thing] = []
        for thing in sorted(drawn, key=lambda t: not kinds.is_any(t.id, self._complaints)):
            said = tuple(w for w in words.of(thing, names) if not _DENIES.search(w))
            near = any(kinds.is_kind(thing.id, o) or kinds.is_kind(o, thing.id) for o in own)
            finding = Finding(**{**thing.model_dump(), "words": said})
            if said and not near and fits(finding, kinds):
                made_up.append(Thing(**{**thing.model_dump(), "words": said}))
        return tuple(made_up[:_FABRICATED])

    @cached_property
    def _findings(self) -> Mapping[Language, list[Thing]]:
        """The graph's findings that have a name that somebody says."""
        things = [thing_of(row) for row in self._store.query("evaluation.findings").dicts()]
        languages: tuple[Language, ...] = ("en", "zh")
        return {
            language: [
                t
                for t in things
                if t.type == "Symptom" and not fault(own_name(t, language), language)
            ]
            for language in languages
        }
