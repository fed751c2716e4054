import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.ingest.sources.test_medquad import document as file_of_medquad


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "gout.md").write_text("# Gout\n\n## Causes\n\nUric acid crystals.\n")
    (folder / "痛风.txt").write_text("痛风引起关节疼痛。", "utf-8")
    return folder


def test_pages_are_indexed_shown_and_found(cli: CommandLine, pages: Path) -> None:
    made = cli("qa", "index", "--no-graph", "--pages", pages, "--licence", "CC0")
    assert made.code == 0, made.err
    assert "site" in made.out
    assert "CC0" in made.out
    assert "Without vectors" in made.err
    shown = json.loads(cli("qa", "index", "--show", "--json").out)
    assert shown["corpora"] == [
        {
            "name": "site", "documents": 2, "records": 2, "licences": {"site": "CC0"},
            "checksum": shown["corpora"][0]["checksum"], "left_out": {}, "place": str(pages),
        }
    ]  # fmt: skip
    assert shown["graph_changed"] is None
    [hit] = json.loads(cli("qa", "search", "what causes gout?", "--json").out)
    assert (hit["rank"], hit["id"], hit["content"]) == (
        1, "site:gout.md#1#0-19", "Gout\nCauses\nUric acid crystals.",
    )  # fmt: skip
    found = cli("qa", "search", "痛风关节", "--where", "language=zh", "--where", "source=site")
    assert found.out.split()[:4] == ["名次", "得分", "来源", "文本"]
    assert "痛风引起关节疼痛。" in found.out


def test_corpora_are_updated_and_removed_one_by_one(
    cli: CommandLine, pages: Path, tmp_path: Path
) -> None:
    medquad = tmp_path / "MedQuAD"
    medquad.mkdir()
    (medquad / "1.xml").write_text(file_of_medquad())
    (medquad / "2.xml").write_text("<html/>")
    cli("qa", "index", "--no-graph", "--pages", pages)
    (pages / "gout.md").unlink()
    both = cli("qa", "index", "--no-graph", "--update", "--pages", pages, "--medquad", medquad)
    assert both.code == 0, both.err
    assert "medquad: 1 left out: the root element is 'html', not 'Document'" in both.err
    kept = json.loads(cli("qa", "index", "--no-graph", "--update", "--json").out)["corpora"]
    assert [(c["name"], c["documents"]) for c in kept] == [("medquad", 1), ("site", 1)]
    gone = cli("qa", "index", "--remove", "medquad", "--remove", "site:痛风.txt#1", "--json")
    assert (json.loads(gone.out)["corpora"], gone.code) == ([], 0)
    none = cli("qa", "search", "gout")
    assert none.out.split()[:4] == ["rank", "score", "source", "text"]
    assert "no text has a word of the question; try other words" in none.err


def test_graph_that_has_changed_is_told(
    cli: CommandLine, triple_graph: Path, tmp_path: Path
) -> None:
    made = cli("qa", "index", "--graph", triple_graph, "--json")
    assert made.code == 0, made.err
    manifest = json.loads(made.out)
    assert manifest["graph_changed"] is False
    assert manifest["graph"]["uri"] == str(triple_graph)
    path = tmp_path / ".medkg" / "texts" / "index.json"
    path.write_text(path.read_text("utf-8").replace(manifest["graph"]["checksum"], "another"))
    told = cli("qa", "search", "gout", "--graph", triple_graph)
    assert told.code == 0
    assert "The graph has changed since this index was made; 'medkg qa index --update'" in told.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search", "gout"), 1, "there is no index of texts; make one with 'medkg qa index'"),
        (("index", "--show"), 1, "there is no index of texts; make one with"),
        (("index", "--remove", "x"), 1, "there is no index of texts; make one with"),
        (("index",), 1, "there is no graph yet; make it with 'medkg build'"),
        (("index", "--show", "--update"), 2, "are asked for one by one"),
        (("index", "--remove", "x", "--model", "minilm"), 2, "are asked for one by one"),
        (("index", "--no-graph"), 2, "with --no-graph alone no text is read and all are taken out"),
        (("index", "--licence", "CC0"), 2, "--licence is of the pages"),
        (("index", "--no-graph", "--update", "--model", "mpnet"), 1, "all-mpnet-base-v2', the model to compare meanings, is not on this machine; download it"),
        (("index", "--no-graph", "--medquad", "."), 1, "no .xml file is in it"),
        (("search", "gout", "--where", "language"), 2, "no parameter; write KEY=VALUE"),
        (("index", "--no-graph", "--pages", "graph"), 1, "another corpus is called graph, too"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_sentence(
    cli: CommandLine, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "graph").mkdir()
    run = cli("qa", *arguments)
    assert run.code == code
    assert said in " ".join(run.err.split())
    assert "Traceback" not in run.err
