from cypher.translation import speaking
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


def test_numbers_of_references_rise_within_a_cell() -> None:
    rows = Rows(("publications",), (("P:1|P:2",), ("P:3|P:1",)))
    assert lay_out(rows).rows.rows == (("[1] [2]",), ("[1] [3]",))


def test_zero_is_not_empty() -> None:
    assert lay_out(Rows(("n",), ((0,),))).rows.columns == ("n",)


def test_names_of_the_language_come_first_and_types_and_relations_are_called_as_in_it() -> None:
    columns = ("relation", "tail_id", "tail_name", "tail_name_zh", "tail_type")
    rows = Rows(columns, (("HAS_SYMPTOM", "HP:1", "Fever", "发热", "Symptom"),))
    with speaking("zh"):
        shown = lay_out(rows).rows
    assert shown.dicts() == [
        {"relation": "症状", "tail_id": "HP:1", "tail_name_zh": "发热"}
        | {"tail_name": "Fever", "tail_type": "症状"}
    ]
    assert shown.columns == ("relation", "tail_id", "tail_name_zh", "tail_name", "tail_type")
    assert lay_out(rows).rows == rows


def test_words_of_closed_lists_are_told_in_the_language() -> None:
    columns = ("safety_flags", "end_reason", "text")
    rows = Rows(
        columns, ((["treated before asking", "another"], "refused", "refused"), ([], None, "x"))
    )
    with speaking("zh"):
        shown = lay_out(rows).rows.rows
    assert shown == ((["未问诊就给出治疗", "another"], "拒绝", "refused"), ([], None, "x"))
    assert lay_out(rows).rows == rows
