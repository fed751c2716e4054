"""Who the patient is, what they have, and what they may answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import kg
from evalsim.agents.director import Director, Reason
from evalsim.briefs import GuideBrief, PersonaBrief, ScreenBrief
from evalsim.case import DiagnosisCase, Finding, Thing
from evalsim.dialogue import Instruction, Supply, Turn
from evalsim.plan import Conduct, LeftOut, Manner, Persona, Plan, Screening
from kg.linking import Linker
from tests.evalsim.clinic import diagnosis_case, medication_case

GOUT = "MONDO:0005393"
ADULT = Persona(age=50, sex="male")
ARTHRITIS, SWELLING, ERYTHEMA, FEVER = "HP:0001369", "HP:0001386", "HP:0010783", "HP:0001945"


@pytest.fixture(scope="module")
def director(clinic: Path) -> Iterator[Director]:
    with kg.connect(str(clinic)) as store:
        yield Director(store, Linker.of_store(store))


def screened(director: Director, case: DiagnosisCase, persona: Persona = ADULT) -> Screening:
    return director.screen(
        ScreenBrief(language=case.language, task=case.task, case=case, persona=persona, seed=1)
    )


def reasons(director: Director, *findings: Finding, persona: Persona = ADULT) -> list[str]:
    """Why some findings are left out of a patient who has gout's too."""
    case = diagnosis_case(GOUT)
    case = case.model_copy(update={"findings": (*case.findings, *findings)})
    ids = {finding.id for finding in findings}
    left = screened(director, case, persona).left_out
    assert {out.reason for out in left} <= set(get_args(Reason))
    return [out.reason for out in left if out.id in ids]


def finding(id_: str, name: str, frequency: float = 1.0, flags: tuple[str, ...] = ()) -> Finding:
    return Finding(id=id_, type="Symptom", name=name, frequency=frequency, flags=flags)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (finding("X:1", "Gouty tophus of gout"), "names the disease"),
        (finding(GOUT, "Podagra"), "the disease itself"),
        (finding("X:2", "Rash", flags=("a rule",)), "doubted by a rule"),
        (finding("HP:0000140", "Abnormality of the menstrual cycle"), "not of this sex"),
        (finding("HP:0012469", "Infantile spasms"), "not of this age"),
        (finding("HP:0001259", "Coma"), "cannot be told"),
        (finding("X:3", "Rash", frequency=0.0), "never with the disease"),
        (finding("HP:0002045", "Hypothermia", frequency=0.5), "opposite of another finding"),
    ],
)
def test_finding_is_left_out_for_a_reason_of_the_list(
    director: Director, given: Finding, reason: str
) -> None:
    case = diagnosis_case(GOUT)
    always = tuple(f.model_copy(update={"frequency": 1.0}) for f in case.findings)
    case = case.model_copy(update={"findings": (*always, given)})
    assert screened(director, case).left_out == (LeftOut(id=given.id, reason=reason),)


def test_finding_of_one_sex_stays_with_who_has_it(director: Director) -> None:
    menses = finding("HP:0000140", "Abnormality of the menstrual cycle")
    assert reasons(director, menses, persona=Persona(age=30, sex="female")) == []


def test_told_first_is_what_most_have_then_what_tells_most(director: Director) -> None:
    findings = (
        Finding(id="X:1", type="Symptom", name="a", frequency=0.99, discrimination=0.1),
        Finding(id="X:2", type="Symptom", name="b", frequency=0.98, discrimination=0.2),
        Finding(id="X:3", type="Symptom", name="c", frequency=0.97, discrimination=0.9),
    )
    case = diagnosis_case(GOUT).model_copy(update={"findings": findings})
    assert screened(director, case).told == ("X:1", "X:3", "X:2")


def test_what_only_tests_show_is_told_when_asked_for(director: Director) -> None:
    case = diagnosis_case(GOUT)
    crystal = finding("X:9", "Elevated serum urate concentration")
    case = case.model_copy(update={"findings": (*case.findings, crystal)})
    assert screened(director, case).further == ("X:9",)


def test_same_seed_gives_the_same_patient_and_another_one_others(director: Director) -> None:
    case = diagnosis_case(GOUT)

    def personas(seeds: range) -> list[Persona]:
        return [
            director.persona(PersonaBrief(language="en", task="diagnosis", case=case, seed=seed))
            for seed in seeds
        ]

    assert personas(range(5)) == personas(range(5))
    assert len({persona.model_dump_json() for persona in personas(range(20))}) > 10


@pytest.mark.parametrize(
    ("changes", "least", "most", "speakers"),
    [
        ({"onset": 40.0}, 40, 88, {"patient"}),
        ({"onset": None}, 18, 75, {"patient"}),
        (
            {"target": Thing(id="X:1", type="Disease", name="neonatal lupus")},
            0,
            0.1,
            {"mother", "father"},
        ),
        ({"age": 7.0}, 7, 7, {"mother", "father"}),
    ],
)
def test_patient_is_of_an_age_that_has_the_disease_and_is_spoken_for_while_small(
    director: Director,
    changes: dict[str, object],
    least: float,
    most: float,
    speakers: set[str],
) -> None:
    case = diagnosis_case(GOUT).model_copy(update=changes)
    personas = [
        director.persona(PersonaBrief(language="en", task="diagnosis", case=case, seed=seed))
        for seed in range(30)
    ]
    assert all(least <= persona.age <= most for persona in personas)
    assert {persona.speaker for persona in personas} <= speakers


def test_who_is_unconscious_is_spoken_for(director: Director) -> None:
    coma = finding("HP:0001259", "Coma")
    case = diagnosis_case(GOUT).model_copy(update={"findings": (coma,)})
    persona = director.persona(PersonaBrief(language="en", task="diagnosis", case=case, seed=1))
    assert persona.speaker in ("spouse", "relative")


def test_who_has_dementia_is_spoken_for(director: Director) -> None:
    dementia = Thing(id="MONDO:0001627", type="Disease", name="dementia")
    case = diagnosis_case(GOUT).model_copy(update={"target": dementia})
    persona = director.persona(PersonaBrief(language="en", task="diagnosis", case=case, seed=1))
    assert persona.speaker in ("spouse", "relative")


def guided(
    director: Director,
    reply: str,
    *,
    told: tuple[str, ...] = (ARTHRITIS,),
    why: Reason = "not in this patient",
) -> object:
    """Supplies and what is told next, after a reply to who has told of arthritis."""
    case = diagnosis_case(GOUT)
    plan = Plan(
        told=(ARTHRITIS, SWELLING, ERYTHEMA),
        left_out=(LeftOut(id=FEVER, reason=why),),
        persona=ADULT,
    )
    findings = {f.id: f for f in case.findings}
    tell = tuple(Thing(id=t, type="Symptom", name=findings[t].name) for t in told)
    turn = Turn(
        number=1, instruction=Instruction(intent="open", tell=tell), patient="…", doctor=reply
    )
    guidance = director.guide(
        GuideBrief(
            language="en",
            task="diagnosis",
            case=case,
            plan=plan,
            turns=(turn,),
            unreleased=(SWELLING, ERYTHEMA),
            seed=1,
        )
    )
    supplies = [(s.about.id, s.answer, s.source, s.releases) for s in guidance.supplies]
    return supplies, guidance.tell


def test_what_cannot_be_told_is_not_denied_either(director: Director) -> None:
    supplies = [(FEVER, "not known", "filler", None)]
    found = guided(director, "Do you have a fever?", why="cannot be told")
    assert found == (supplies, (SWELLING,))


@pytest.mark.parametrize(
    ("reply", "supplies", "tell"),
    [
        ("Do you have joint swelling?", [(SWELLING, "yes", "graph", SWELLING)], ()),
        ("Do you have a fever?", [(FEVER, "no", "graph", None)], (SWELLING,)),
        ("Do you have a cough?", [("HP:0012735", "no", "filler", None)], (SWELLING,)),
        # of a disease the patient knows nothing, so that the answer does not tell which it is
        ("Do you have gout?", [(GOUT, "not known", "filler", None)], (SWELLING,)),
        ("Do you have asthma?", [("MONDO:0004979", "not known", "filler", None)], (SWELLING,)),
        ("Any other symptoms?", [], (SWELLING, ERYTHEMA)),
        ("Tell me more.", [], ()),
        ("I see.", [], (SWELLING,)),
    ],
)
def test_what_is_asked_for_is_answered_by_the_graph_and_filler_is_marked(
    director: Director, reply: str, supplies: list[Supply], tell: tuple[str, ...]
) -> None:
    assert guided(director, reply) == (supplies, tell)


def test_of_a_finding_that_is_two_each_is_had(director: Director) -> None:
    both = Thing(id="X:9", type="Symptom", name="Fever and chills")
    case = diagnosis_case(GOUT)
    case = case.model_copy(update={"findings": (Finding(**both.model_dump()),)})
    opened = Instruction(intent="open")
    turn = Turn(number=1, instruction=opened, patient="…", doctor="Do you have a fever?")
    brief = GuideBrief(
        language="en",
        task="diagnosis",
        case=case,
        plan=Plan(told=(both.id,), persona=ADULT),
        turns=(turn,),
        unreleased=(both.id,),
        seed=1,
    )
    [supply] = director.guide(brief).supplies
    assert (supply.about, supply.answer, supply.releases) == (both, "yes", both.id)


def test_medication_has_one_question_of_each_attribute_in_order(director: Director) -> None:
    case = medication_case()
    screening = director.screen(
        ScreenBrief(language="en", task="medication", case=case, persona=ADULT, seed=1)
    )
    assert screening.questions == (
        ("indication", "MONDO:0005277"),
        ("contraindication", "MONDO:0004247"),
    )


def test_topic_that_a_finding_answers_is_answered_by_it(director: Director) -> None:
    case = diagnosis_case(GOUT)
    urate = finding("X:9", "Elevated serum urate concentration")
    case = case.model_copy(update={"findings": (*case.findings, urate)})
    plan = Plan(told=(ARTHRITIS,), further=("X:9",), tested=("X:9",), persona=ADULT)
    turn = Turn(
        number=1,
        instruction=Instruction(intent="open"),
        patient="…",
        doctor="Have you had any blood tests, and do you smoke?",
    )
    guidance = director.guide(
        GuideBrief(
            language="en",
            task="diagnosis",
            case=case,
            plan=plan,
            turns=(turn,),
            unreleased=(),
            seed=1,
        )
    )
    assert [(s.about.id, s.answer, s.releases) for s in guidance.supplies] == [
        ("X:9", "yes", "X:9")
    ]
    assert guidance.topics == ("smoking",)


def conducted(director: Director, *manner: Manner) -> Conduct:
    plan = Plan(told=(ARTHRITIS, SWELLING, ERYTHEMA), further=(FEVER,), persona=ADULT)
    return director.conduct(diagnosis_case(GOUT), plan, manner, seed=1)


def test_manner_is_drawn_from_the_graph_and_by_the_seed(director: Director) -> None:
    assert conducted(director) == Conduct()
    withheld = conducted(director, "withholding").withheld
    assert len(withheld) == 1
    assert set(withheld) <= {SWELLING, ERYTHEMA, FEVER}
    assert conducted(director, "withholding").withheld == withheld
    vague = conducted(director, "vague")
    assert (vague.vague, vague.groups) == (True, {})  # the graph has no kinds of findings


@pytest.mark.parametrize(
    ("name", "sex", "least", "most"),
    [
        ("chronic obstructive pulmonary disease", None, 45, 84),
        ("prostatic hyperplasia", "male", 50, 84),
        ("acute fatty liver of pregnancy", "female", 20, 42),
        ("severe combined immunodeficiency", None, 0.2, 3),
    ],
)
def test_age_and_sex_are_those_that_have_a_disease_of_the_name(
    director: Director, name: str, sex: str | None, least: float, most: float
) -> None:
    case = diagnosis_case(GOUT).model_copy(
        update={"target": Thing(id="X:1", type="Disease", name=name)}
    )
    personas = [
        director.persona(PersonaBrief(language="en", task="diagnosis", case=case, seed=seed))
        for seed in range(20)
    ]
    assert all(least <= persona.age <= most for persona in personas)
    assert sex is None or {persona.sex for persona in personas} == {sex}
    assert all(persona.pregnant for persona in personas) == ("pregnancy" in name)
