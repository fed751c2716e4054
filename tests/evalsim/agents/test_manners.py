"""What patients do on purpose, drawn from a graph."""

from evalsim.agents.manners import Manners
from evalsim.case import DiagnosisCase, Finding, Thing
from evalsim.plan import Conduct, Manner, Persona, Plan
from evalsim.reading.superclasses import SuperclassLookup
from kg.shipped import shipped_table
from kg.stores.store import Store
from tests.evalsim.practice import NAMES

GOUT = DiagnosisCase(
    id="gout",
    language="en",
    target=Thing(id="MONDO:1", type="Disease", name="gout", name_zh="痛风"),
    findings=tuple(
        Finding(id=id_, type="Symptom", name=NAMES[id_][1]) for id_ in ("HP:1", "HP:2", "HP:3")
    ),
)
PLAN = Plan(told=("HP:1", "HP:2", "HP:3"), persona=Persona(age=58, sex="male"))


def conduct(
    practice: Store, *manner: Manner, case: DiagnosisCase = GOUT, seed: int = 0, fit: bool = True
) -> Conduct:
    manners = Manners(
        practice, SuperclassLookup(practice), shipped_table("evalsim.agents", "director.yaml")
    )
    return manners.conduct(case, PLAN, manner, seed, lambda *_: fit)


def test_findings_are_made_up_that_the_case_has_not_got_and_people_have_words_for(
    practice: Store,
) -> None:
    made_up = conduct(practice, "fabricating").fabricated
    assert len(made_up) == 2
    assert {thing.id for thing in made_up} <= {"HP:4", "HP:5", "HP:6", "HP:7", "HP:9"}
    assert all(thing.words for thing in made_up)


def test_finding_is_made_up_in_the_language_of_the_dialogue_only(practice: Store) -> None:
    case = GOUT.model_copy(update={"language": "zh"})
    made_up = [conduct(practice, "fabricating", case=case, seed=n).fabricated for n in range(9)]
    assert {thing.words for each in made_up for thing in each} == {("发烧",)}


def test_nothing_is_made_up_that_the_patient_cannot_have(practice: Store) -> None:
    assert conduct(practice, "fabricating", fit=False).fabricated == ()


def test_the_first_finding_is_never_withheld_and_the_seed_chooses(practice: Store) -> None:
    withheld = {conduct(practice, "withholding", seed=n).withheld for n in range(20)}
    assert withheld == {("HP:2",), ("HP:3",)}
