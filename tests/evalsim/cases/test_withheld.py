"""A graph without some of its sources has nothing of them, and lies apart from the whole one."""

from pathlib import Path

import pytest

import kg
from evalsim.cases.withheld import withhold
from ingest.configuration import BuildConfig
from kg.errors import EvaluationError
from kg.progress import Silent

CONFIG = BuildConfig.model_validate(
    {
        "sources": [
            {"kind": "sample"},
            {"kind": "bridge", "name": "findings", "list": "findings"},
            {"kind": "bridge", "name": "drugs", "list": "drugs"},
        ]
    }
)


def test_graph_has_nothing_of_what_is_withheld(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path / "whole"))
    result = withhold(CONFIG, ["drugs"], tmp_path / "rest", Silent())
    assert [source.name for source in result.report.sources] == ["sample", "findings"]
    with kg.connect(str(tmp_path / "rest" / "graph.lbug")) as store:
        rows = store.cypher(
            "MATCH (e:Entity) UNWIND e.sources AS source RETURN DISTINCT source ORDER BY source"
        )
    assert [source for (source,) in rows.rows] == ["findings", "sample"]
    assert not (tmp_path / "whole").exists()


@pytest.mark.parametrize(
    ("sources", "why"),
    [
        (["hpo"], "'hpo' is no source of the graph; leave out some of sample, findings, drugs"),
        ([], "of 3 sources 0 are left out; leave out some, and not all"),
        (["sample", "findings", "drugs"], "of 3 sources 3 are left out"),
    ],
)
def test_what_cannot_be_withheld_is_said(tmp_path: Path, sources: list[str], why: str) -> None:
    with pytest.raises(EvaluationError, match=why):
        withhold(CONFIG, sources, tmp_path, Silent())


def test_whole_graph_is_not_built_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path))
    with pytest.raises(EvaluationError, match="has the graph itself; give another folder"):
        withhold(CONFIG, ["drugs"], tmp_path, Silent())
    assert not list(tmp_path.iterdir())
