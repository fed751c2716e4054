from kg.text import normalise
from tests.experiments.linking.experiment import Experiment, seeded
from tests.experiments.linking.held_out import split
from tests.experiments.linking.noisy import with_noise
from tests.experiments.linking.vocabularies import Entity


def entities(count: int) -> list[Entity]:
    return [
        Entity(f"X:{at}", "Disease", (f"disease {at}", f"malady {at}", f"Malady-{at}"))
        for at in range(count)
    ]


def experiment() -> Experiment:
    return split("test", entities(400), seeded("test", 1))


def test_held_out_synonym_is_no_name_of_the_table() -> None:
    made = experiment()
    names = {normalise(name) for name in made.names.table["name"].to_pylist()}
    held = [line["mention"] for line in made.golds["synonyms"]]
    assert held
    assert not {normalise(mention) for mention in held} & names


def test_synonym_that_stays_a_name_in_another_spelling_is_left_out_and_counted() -> None:
    # "malady 1" and "Malady-1" are one name: it is gone only where both were taken out.
    made = experiment()
    names = [normalise(line["mention"]) for line in made.golds["synonyms"]]
    assert all(names.count(name) == 2 for name in names)
    assert " are still a name " in made.remarks[0]


def test_preferred_name_of_what_was_removed_has_no_entity() -> None:
    made = experiment()
    gone = [line for line in made.golds["synonyms and no entity"] if not line["ids"]]
    ids = set(made.names.table["id"].to_pylist())
    assert 20 < len(gone) < 60
    assert all(line["mention"].replace("disease ", "X:") not in ids for line in gone)


def test_same_seed_gives_the_same_experiment() -> None:
    assert experiment().golds == experiment().golds


def test_noisy_name_that_is_anothers_is_left_out() -> None:
    pair = [Entity("X:1", "Disease", ("type 1",)), Entity("X:2", "Disease", ("type 2",))]
    made = with_noise("test", pair, {"other": lambda *_: "type 2"}, 1)
    assert made.golds["other"] == []
    assert made.remarks == ("1 noisy names are another entity's name and were left out",)
