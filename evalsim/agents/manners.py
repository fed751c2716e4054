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
from evalsim.reading.paraphrases import Secret
from evalsim.reading.patients import ids
from evalsim.reading.superclasses import Superclasses, SuperclassLookup
from kg.stores.store import Store

_WITHHELD: Final = 1 / 3
"""Share of the findings."""
_FABRICATED: Final = 2
_DENIES: Final = re.compile(r"\b(absen\w+|no|not|without|lack\w*|failure|loss)\b|无|没|缺|不")
_LOOKED_AT: Final = 200
"""Findings among which those that are made up are sought."""


class Manners:
    """Draws what patients do on purpose; threads may share it."""

    def __init__(self, store: Store, lookup: SuperclassLookup, table: Mapping[str, Any]) -> None:
        """Draw by a graph.

        Args:
            store: the graph.
            lookup: of the superclasses of its things.
            table: ``director.yaml``.
        """
        self._store, self._lookup = store, lookup
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
        fits: Callable[[Finding, Superclasses], bool],
    ) -> Conduct:
        """What a patient does on purpose.

        Args:
            case: that the dialogue is about.
            plan: who the patient is, and what it has.
            manner: how the patient is; none: it does nothing on purpose.
            seed: of what is drawn.
            fits: whether this patient could have a finding, by its superclasses.

        Raises:
            StoreError: the store failed.
        """
        finding_ids = (*plan.told, *plan.further)
        superclasses = self._lookup.of(finding_ids)
        return Conduct(
            vague="vague" in manner,
            groups=self._groups_of(case, finding_ids, superclasses) if "vague" in manner else {},
            withheld=self._withheld(case, finding_ids, superclasses, seed)
            if "withholding" in manner
            else (),
            fabricated=self._fabricated(case, seed, fits) if "fabricating" in manner else (),
        )

    def _groups_of(
        self, case: DiagnosisCase, finding_ids: Sequence[str], superclasses: Superclasses
    ) -> dict[str, Thing]:
        secret = Secret.of_case(case)
        groups = [
            Thing(id=id_, type="Symptom", name=label, words=(words[case.language],))
            for id_, label, words in self._groups
            if not secret.is_told_by(words[case.language])
        ]
        group_of: dict[str, Thing] = {}
        for finding in finding_ids:
            wider_groups = (
                g for g in groups if g.id != finding and superclasses.is_a(finding, g.id)
            )
            if group := next(wider_groups, None):
                group_of[finding] = group
        return group_of

    def _withheld(
        self,
        case: DiagnosisCase,
        finding_ids: Sequence[str],
        superclasses: Superclasses,
        seed: int,
    ) -> tuple[str, ...]:
        """A share of the findings, never the one that the patient comes with."""
        rng = Random(f"{seed}:{case.id}:withheld")
        later_ids = sorted(finding_ids[1:])
        rng.shuffle(later_ids)
        later_ids.sort(key=lambda id_: not superclasses.is_any_of(id_, self._embarrassing))
        return tuple(later_ids[: max(1, round(len(finding_ids) * _WITHHELD))])

    def _fabricated(
        self, case: DiagnosisCase, seed: int, fits: Callable[[Finding, Superclasses], bool]
    ) -> tuple[Thing, ...]:
        """Findings in everyday words that have nothing to do with those of the case."""
        rng = Random(f"{seed}:{case.id}:fabricated")
        all_findings = self._findings[case.language]
        drawn = rng.sample(all_findings, min(_LOOKED_AT, len(all_findings)))
        case_ids = [thing.id for thing in (*case.findings, *case.absent)]
        superclasses = self._lookup.of([*case_ids, *(thing.id for thing in drawn)])
        words = EverydayWords.of_store(self._store, [t.id for t in drawn], case.language)
        names = Names.of(case.target, case.synonyms)
        made_up: list[Thing] = []
        for thing in sorted(
            drawn, key=lambda t: not superclasses.is_any_of(t.id, self._complaints)
        ):
            words_said = tuple(w for w in words.of(thing, names) if not _DENIES.search(w))
            is_near = any(
                superclasses.is_a(thing.id, o) or superclasses.is_a(o, thing.id) for o in case_ids
            )
            finding = Finding(**{**thing.model_dump(), "words": words_said})
            if words_said and not is_near and fits(finding, superclasses):
                made_up.append(Thing(**{**thing.model_dump(), "words": words_said}))
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
