"""What gives a disease away, in the language that is spoken."""

import pytest

from evalsim.case import DiagnosisCase, Finding, Language, Thing
from evalsim.reading.paraphrases import Secret


def case(language: Language, name: str, zh: str) -> DiagnosisCase:
    fever = Finding(id="HP:0001945", type="Symptom", name="Fever", name_zh="发热")
    target = Thing(id="MONDO:1", type="Disease", name=name, name_zh=zh)
    return DiagnosisCase(id="c", language=language, target=target, findings=(fever,))


@pytest.mark.parametrize(
    ("language", "disease", "finding", "told"),
    [
        ("en", ("migraine disorder", "偏头痛"), ("Headache", "头痛"), False),
        ("zh", ("migraine disorder", "偏头痛"), ("Headache", "头痛"), False),
        ("en", ("epilepsy", "癫痫"), ("Seizure", "癫痫发作"), False),
        ("zh", ("epilepsy", "癫痫"), ("Seizure", "癫痫发作"), True),
        ("zh", ("Myasthenia gravis", "重症肌无力"), ("Muscle weakness", "肌无力"), False),
        ("zh", ("polycystic ovary syndrome", "多囊卵巢综合征"), ("Cysts", "多囊卵巢"), True),
        ("en", ("gout", "痛风"), ("Tophus of gout", "痛风石"), True),
    ],
)
def test_a_finding_gives_the_disease_away_by_what_is_said_of_it(
    language: Language, disease: tuple[str, str], finding: tuple[str, str], told: bool
) -> None:
    thing = Thing(id="HP:2", type="Symptom", name=finding[0], name_zh=finding[1])
    assert Secret.of_case(case(language, *disease)).is_told_with(thing) is told


def test_its_everyday_words_count() -> None:
    thing = Thing(id="HP:2", type="Symptom", name="Arthritis", words=("gouty joints",))
    assert not Secret.of_case(case("en", "gout", "痛风")).is_told_with(thing)
    gouty = thing.model_copy(update={"words": ("signs of gout",)})
    assert Secret.of_case(case("en", "gout", "痛风")).is_told_with(gouty)
