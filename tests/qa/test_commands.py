from pathlib import Path

import kg
from ingest.merge import MergeConfig, merge
from kg.progress import Silent
from tests.conftest import CommandLine
from tests.ingest.rows import fact, write_assertions


def test_control_characters_of_a_source_do_not_reach_the_terminal(
    tmp_path: Path, cli: CommandLine
) -> None:
    escape = "\x1b[31m"
    row = fact(
        "MONDO:1",
        "HAS_SYMPTOM",
        "HP:1",
        head_name="gout",
        tail_name=f"{escape}Arthritis",
        publications=f"{escape}PMID:1",
    )
    path = write_assertions(tmp_path / "s.parquet", "s", [row])
    out = tmp_path / "out"
    out.mkdir()
    result = merge(MergeConfig(assertions={"s": path}, made_by="a test"), out, Silent())
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(result.tables)
    answer = cli("ask", "symptoms of gout", "--graph", "g.lbug")
    assert answer.code == 0, answer.err
    assert "[1] [31mPMID:1" in answer.out
    assert "\x1b" not in answer.out + answer.err
