"""Ways to ask that several questions share: what is passed on, how things differ, what goes on."""

import pytest

from kg.linking import Linker
from qa.questions import read
from tests.qa.small_graph import linker_of

NAMES = [
    ("D:2", "Disease", "psoriasis", "en"),
    ("D:4", "Disease", "schizophrenia", "en"),
    ("D:5", "Disease", "gonorrhea", "en"),
    ("D:7", "Disease", "前列腺炎", "zh"),
    ("D:9", "Disease", "hemophilia", "en"),
    ("DR:1", "Drug", "metformin", "en"),
    ("HP:1", "Symptom", "joint swelling", "en"),
    ("HP:2", "Symptom", "itching", "en"),
    ("HP:2", "Symptom", "瘙痒", "zh"),
]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return linker_of(NAMES)


@pytest.mark.parametrize(
    "question",
    [
        "how do you tell psoriasis from schizophrenia?",
        "What is the difference between psoriasis and gonorrhea?",
    ],
)
def test_things_whose_difference_is_asked_are_told_one_by_one(
    linker: Linker, question: str
) -> None:
    first, *each = read(question, linker).parts
    assert first.problem is not None
    assert [part.readings[0].heading for part in each] == ["facts", "facts"]


def test_what_is_passed_on_may_be_inherited(linker: Linker) -> None:
    [part] = read("How is hemophilia passed on?", linker).parts
    assert part.problem is not None
    assert next(reading.heading for reading in part.in_general) == "modes of inheritance"


@pytest.mark.parametrize(
    ("before", "question", "heading"),
    [
        ("What is psoriasis?", "how do doctors find out who has got it", "diagnosis"),
        ("什么是前列腺炎", "需要做什么检查", "diagnosis"),
        ("What is metformin?", "side effects?", "adverse reactions"),
    ],
)
def test_a_question_that_names_nothing_goes_on_from_the_one_before(
    linker: Linker, before: str, question: str, heading: str
) -> None:
    [part] = read(question, linker, read(before, linker)).parts
    assert part.readings[0].heading == heading


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("mum's been started on metformin, what do they use that for", "indications"),
        ("我妈查出前列腺炎，该用什么药治", "drugs"),
        ("什么样的人前列腺炎风险高", "risk factors"),
        ("前列腺炎有哪些靶向药", "drugs"),
    ],
)
def test_what_is_told_or_stands_beside_the_asking_words_is_not_asked(
    linker: Linker, question: str, heading: str
) -> None:
    [part] = read(question, linker).parts
    assert part.readings[0].heading == heading


def test_what_a_condition_makes_is_a_finding_or_a_complication(linker: Linker) -> None:
    [part] = read("does psoriasis make you schizophrenia?", linker).parts
    assert part.readings[0].relations == ("HAS_SYMPTOM", "COMPLICATED_BY")
    assert part.readings[0].whether == "is"


@pytest.mark.parametrize(
    ("question", "whether"),
    [
        ("I have joint swelling, could it be psoriasis?", "could"),
        ("Is joint swelling a symptom of psoriasis?", "is"),
    ],
)
def test_what_a_finding_may_come_from_is_told_as_possible(
    linker: Linker, question: str, whether: str
) -> None:
    [part] = read(question, linker).parts
    assert (part.readings[0].whether, part.readings[0].relations) == (whether, ("HAS_SYMPTOM",))


@pytest.mark.parametrize("text", ["hiya u there?", "hello are you around", "嗯嗯，好的知道了"])
def test_small_talk_is_a_greeting(linker: Linker, text: str) -> None:
    assert read(text, linker).greeting


@pytest.mark.parametrize(
    "question",
    [
        "in the cold my fingers go fat and purple and once I sit by the stove the itching drives me mad, what cream helps",
        "天一冷手指头就肿得发紫，一进暖屋又瘙痒得要命，抹什么药好",
    ],
)
def test_one_finding_of_a_story_is_not_treated(linker: Linker, question: str) -> None:
    [part] = read(question, linker).parts
    assert "itching" in str(part.problem)
    assert part.readings == ()


@pytest.mark.parametrize(
    "question", ["What can I take for itching?", "我瘙痒好几天了，抹什么药好"]
)
def test_a_finding_that_is_asked_about_is_treated(linker: Linker, question: str) -> None:
    [part] = read(question, linker).parts
    assert part.readings[0].heading == "drugs"


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        (
            "We are off to the mountains of Nepal in the rainy season with friends, how can you avoid getting gonorrhea?",
            "prevention",
        ),
        ("天热了坐着开长途货车又得了前列腺炎，吃什么药好", "drugs"),
    ],
)
def test_what_is_told_beside_a_question_on_a_disease_does_not_hide_it(
    linker: Linker, question: str, heading: str
) -> None:
    part = read(question, linker).parts[0]
    assert part.readings[0].heading == heading


@pytest.mark.parametrize(
    "question",
    [
        "My landlord has psoriasis and refuses to repair the roof of our house, whom do I sue for that?",
        "前列腺炎大会的门票在哪里买，多少钱一张，附近哪家酒店停车方便",
    ],
)
def test_what_names_a_disease_in_passing_is_not_about_it(linker: Linker, question: str) -> None:
    parts = read(question, linker).parts
    assert all(part.problem for part in parts)
