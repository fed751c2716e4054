from kg.commands.facts import lay_out
from kg.stores.store import Rows


def test_columns_that_no_row_fills_are_left_out() -> None:
    rows = Rows(("id", "onset", "sources"), (("a", None, ["s"]), ("b", None, [])))
    assert lay_out(rows).rows == Rows(("id", "sources"), (("a", ["s"]), ("b", [])))


def test_publications_become_numbers_by_first_appearance() -> None:
    rows = Rows(("publications", "id"), (("P:2|P:1", "a"), ("P:1", "b"), (None, "c")))
    facts = lay_out(rows)
    assert facts.references == ("P:2", "P:1")
    assert facts.rows.rows == (("a", "[1] [2]"), ("b", "[2]"), ("c", ""))


def test_zero_is_not_empty() -> None:
    assert lay_out(Rows(("n",), ((0,),))).rows.columns == ("n",)
