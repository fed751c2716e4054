from pathlib import Path

import pytest

from ingest.accounting import AssertionAccount, RowAccount, prove, prove_loaded, row_accounts
from kg.errors import AccountingError
from tests.ingest.rows import fact, write_assertions, write_quarantine


def test_row_that_is_neither_asserting_nor_quarantined_fails_the_proof() -> None:
    lost = RowAccount(source="s", original_relation="r", read=3, asserting=1, quarantined=1)
    with pytest.raises(AccountingError, match=r"do not close.*source='s'.*read=3.*report it"):
        prove([lost])


def test_assertion_counted_twice_fails_the_proof() -> None:
    twice = AssertionAccount(
        source="s", relation="HAS_SYMPTOM", assertions=1, loaded=1, merged=1, quarantined=0
    )
    with pytest.raises(AccountingError, match="HAS_SYMPTOM"):
        prove([twice])


def test_edge_count_of_the_store_must_be_what_was_loaded() -> None:
    account = AssertionAccount(
        source="s", relation="HAS_SYMPTOM", assertions=2, loaded=2, merged=0, quarantined=0
    )
    prove_loaded([account], {"HAS_SYMPTOM": 2}, "g.lbug")
    with pytest.raises(AccountingError, match=r"2 assertions were loaded but g\.lbug has 1 edges"):
        prove_loaded([account], {"HAS_SYMPTOM": 1}, "g.lbug")
    with pytest.raises(AccountingError, match=r"g\.lbug has 0 edges"):
        prove_loaded([account], {}, "g.lbug")


def test_row_with_two_assertions_is_one_asserting_row(tmp_path: Path) -> None:
    rows = [fact("MONDO:1", "HAS_SYMPTOM", f"HP:{n}", original_relation="r") for n in (1, 2)]
    write_assertions(tmp_path / "assertions.parquet", "s", rows)
    write_quarantine(tmp_path / "quarantine.parquet", "s", [("f", 2, "r"), ("f", 3, "other")])
    assert row_accounts("s", {"r": 2, "other": 1}, tmp_path) == [
        RowAccount(source="s", original_relation="other", read=1, asserting=0, quarantined=1),
        RowAccount(source="s", original_relation="r", read=2, asserting=1, quarantined=1),
    ]
