"""Cases drawn from a graph: what is in them, what is not and why, and that a seed decides."""

from pathlib import Path

import pytest

from evalsim.case import DiagnosisCase, Language, MedicationCase, Thing, write_cases
from evalsim.cases.drawing import DrawOptions, _in_turn, draw
from evalsim.cases.pool import Target
from evalsim.cases.wording import Names, everyday, fault, is_group, series
from kg.errors import EvaluationError
from kg.stores.store import Store


def diagnoses(store: Store, language: Language = "en", **options: object) -> list[DiagnosisCase]:
    drawn = draw(store, DrawOptions(task="diagnosis", language=language, **options))  # type: ignore[arg-type]
    return [case for case in drawn.cases if isinstance(case, DiagnosisCase)]


def test_disease_is_drawn_with_findings_that_do_not_name_it_and_everyday_words(
    practice: Store,
) -> None:
    gout = next(case for case in diagnoses(practice) if case.target.id == "MONDO:1")
    # a tophus is called gout in Chinese alone
    assert [(f.id, f.words) for f in gout.findings] == [
        ("HP:1", ("sore joints", "aching joints")),
        ("HP:2", ()),
        ("HP:3", ("swollen joints",)),
        ("HP:8", ()),
        ("HP:9", ("redness",)),
    ]
    assert (gout.findings[0].frequency, gout.findings[0].sources) == (0.9, ("test", "other"))
    assert [thing.name for thing in gout.absent] == ["Cough"]
    assert (gout.id, gout.synonyms) == ("diagnosis-en-MONDO:1", ("podagra",))


def test_chinese_case_has_chinese_names_and_none_within_the_name_of_a_finding(
    practice: Store,
) -> None:
    assert [
        (case.target.called("zh"), [finding.called("zh") for finding in case.findings])
        for case in diagnoses(practice, "zh")
    ] == [("肺炎", ["发热", "咳嗽", "胸痛", "呼吸困难"])]


def test_all_that_is_not_drawn_is_counted_with_its_reason(practice: Store) -> None:
    report = draw(practice, DrawOptions(task="diagnosis", language="zh")).report
    assert report.left_out == {"too few findings": 1, "wording of a classification": 1}
    assert report.omitted == {"names the target": 1, "no name in the language": 1}
    assert [(s.kind, s.area, s.pool, s.drawn) for s in report.strata] == [("infection", "", 1, 1)]


def test_drug_is_drawn_with_its_facts_and_none_that_is_allergy_to_itself(practice: Store) -> None:
    drawn = draw(practice, DrawOptions(task="medication", language="en"))
    (case,) = drawn.cases
    assert isinstance(case, MedicationCase)
    assert [(fact.attribute, fact.name) for fact in case.facts] == [
        ("indication", "gout"),
        ("contraindication", "Pregnant women"),
        ("precaution", "Take with food"),
        ("interaction", "Ibuprofen"),
    ]
    assert drawn.report.left_out == {"no contraindication that is a condition or a population": 2}


def test_fact_of_another_source_is_in_no_case(practice: Store) -> None:
    with pytest.raises(EvaluationError, match="has nothing that a case can be made of"):
        diagnoses(practice, sources=("other",))


def test_same_seed_gives_the_same_bytes(practice: Store, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_cases(diagnoses(practice, seed=7), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize("seed", range(3))
def test_a_seed_decides_whose_turn_it_is(seed: int) -> None:
    targets = [
        Target(Thing(id=f"MONDO:{n}", type="Disease", name=f"d{n}"), (), kind="k", area="a")
        for n in range(20)
    ]

    def order(seed: int) -> list[str]:
        options = DrawOptions(task="diagnosis", language="en", seed=seed)
        return [each.thing.id for each in _in_turn(targets, options)]

    assert order(seed) == order(seed)
    assert order(seed) != order(seed + 1)
    assert sorted(order(seed)) == sorted(each.thing.id for each in targets)


def test_as_many_are_drawn_as_are_asked_for(practice: Store) -> None:
    report = draw(practice, DrawOptions(task="diagnosis", language="en", n=1)).report
    assert (report.pool, report.drawn) == (2, 1)


@pytest.mark.parametrize(
    ("name", "language", "why"),
    [
        ("Fever", "en", None),
        ("发热", "zh", None),
        ("肺炎", "en", "no name in the language"),
        (None, "zh", "no name in the language"),
        ("Fever", "zh", "no name in the language"),
        ("Hemorrhage NOS", "en", "wording of a classification"),
        ("Alzheimer disease, susceptibility to", "en", "a susceptibility or trait"),
        ("Abnormality of the eye", "en", "a group"),
        ("x" * 81, "en", "a sentence, not a name"),
    ],
)
def test_name_that_nobody_says_has_a_fault(
    name: str | None, language: Language, why: str | None
) -> None:
    assert fault(name, language) == why


@pytest.mark.parametrize(
    ("name", "kinds", "group"),
    [
        ("hypertensive disorder", 63, True),
        ("Alzheimer disease", 23, False),
        ("asthma", 37, False),
        ("sarcoma", 415, True),
    ],
)
def test_general_name_with_many_kinds_is_a_group(name: str, kinds: int, group: bool) -> None:
    assert is_group(name, kinds) is group


def test_number_of_a_series_is_told_from_the_name() -> None:
    assert [series(n) for n in ("Spinocerebellar ataxia 17", "MODY type 2", "gout")] == [
        "spinocerebellar ataxia",
        "mody",
        None,
    ]


def test_names_are_found_as_whole_words_only() -> None:
    names = Names(["gout", "痛风", "RA"])
    found = [names.within(text) for text in ("Gout attack", "gouty", "痛风石", "RA", "rapid")]
    assert found == [True, False, True, True, False]


def test_everyday_words_stand_within_a_sentence_the_shortest_first() -> None:
    assert everyday(["Aching joints", "aching joints", "GI bleeding", "Sore"]) == (
        "sore",
        "GI bleeding",
        "aching joints",
    )


@pytest.mark.parametrize(
    ("names", "text", "found"),
    [
        (["breast cancer"], "Breast carcinoma", True),
        (["breast cancer"], "malignant neoplasm of the skin", False),
        (["乳腺癌"], "乳腺恶性肿瘤", True),
        (["肝肿瘤"], "肝癌", True),
        (["lung cancer"], "breast carcinoma", False),
    ],
)
def test_words_for_tumours_stand_for_one_another(names: list[str], text: str, found: bool) -> None:
    assert Names(names).within(text) is found
