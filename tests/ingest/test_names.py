import pytest

from ingest.names import differ_in_kind, differ_in_scope, share_root
from tests.ingest.ids import called


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hyperlipidaemia", "familial hyperlipidemia"),
        ("reticuloendotheliosis", "reticuloendotheliosis, X-linked"),
        ("cerebellum cancer", "cerebellar neoplasm"),
        ("liver benign neoplasm", "liver and intrahepatic bile duct neoplasm"),
    ],
)
def test_names_differ_in_kind_whichever_says_it(one: str, other: str) -> None:
    assert differ_in_kind(called(one), called(other))
    assert differ_in_kind(called(other), called(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("congenital night blindness", "hereditary night blindness"),
        ("spastic paraplegia 2", "hereditary spastic paraplegia 2"),
        ("malignant neoplasm of mandible", "mandibular cancer"),
        ("Hodgkin lymphoma", "malignant lymphoma, Hodgkin"),
        ("benign intracranial hypertension", "pseudotumor cerebri"),
        ("pseudosarcomatous fibromatosis", "nodular fasciitis"),
    ],
)
def test_names_that_say_the_same_in_other_words_do_not_differ_in_kind(
    one: str, other: str
) -> None:
    assert not differ_in_kind(called(one), called(other))


def test_kind_of_a_name_in_another_language_is_not_compared() -> None:
    assert not differ_in_kind(called("遗传性血色病", "zh"), called("hemochromatosis"))


def test_neutral_words_make_no_common_root() -> None:
    assert share_root(called("arthritic joint disease"), called("Arthritis"))
    assert not share_root(called("kidney disease"), called("gland disease"))


def test_name_does_not_differ_in_scope_from_itself() -> None:
    assert not differ_in_scope(called("发热", "zh"), called("发热", "zh"))
    assert differ_in_scope(called("高热", "zh"), called("发热", "zh"))
