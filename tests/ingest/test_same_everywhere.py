"""The same inputs give the same files, whatever the machine is set to and has installed."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.sources import SssomSource, files
from kg.errors import SourceError

CONFIG = """
threads: {threads}
sources:
  - kind: table
    name: terms
    file: {folder}/terms.csv
    head: {{id: disease_id, name: disease, type: Disease}}
    relation: HAS_SYMPTOM
    tail: {{id: finding_id, name: finding, type: Symptom}}
  - kind: table
    name: clinic
    file: {folder}/findings.csv
    head: {{name: disease, type: Disease}}
    relation: HAS_SYMPTOM
    tail: {{name: finding, type: Symptom}}
    link: true
  - {{kind: pages, path: {folder}/pages}}
"""
TERMS = """disease_id,disease,finding_id,finding
MONDO:0005393,gout,HP:0001369,Arthritis
MONDO:0005393,痛风,HP:0002829,关节痛
MONDO:0005812,influenza,HP:0001945,Fever
MONDO:0005812,influenza,HP:0002094,Dyspnea
"""
FINDINGS = "disease,finding\ngout,feverr\n痛风,關節痛\ninfluenza,joint swellings\nflu,dysponea\n"
PAGE = """# Kidney stone
## Symptoms
Symptoms include fever, dysuria and UTI. Urinary tract infection (UTI) is frequent.
## Complications
- It may lead to UTI
- chronic kidney disease (CKD), CKD of the other side
"""
WITHOUT = (
    "import sys; sys.modules.update(dict.fromkeys(('spacy', 'scispacy', 'sklearn', 'nmslib')));"
)
BUILD = "import sys; from kg.commands import main; main(['build', sys.argv[1]])"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Inputs, one of them in a folder with a Chinese name."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "pages" / "泌尿").mkdir(parents=True)
    (folder / "pages" / "泌尿" / "结石.md").write_text(PAGE, encoding="utf-8")
    (folder / "terms.csv").write_text(TERMS, encoding="utf-8")
    (folder / "findings.csv").write_text(FINDINGS, encoding="utf-8")
    return folder


def built(folder: Path, home: Path, program: str = BUILD, **other: str) -> dict[str, str]:
    """The checksums of all that a build leaves, by path.

    But for ``build.json``, which has clocks in it, and the surveys, which only the next merge reads,
    in whatever order their rows stand.
    """
    config = home.with_suffix(".yaml")
    threads = other.pop("threads", "1")
    config.write_text(CONFIG.format(folder=folder, threads=threads), encoding="utf-8")
    cwd = home.with_suffix(".cwd")
    cwd.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MEDKG_HOME": str(home),
        "SOURCE_DATE_EPOCH": "1700000000",  # when a graph was built stands in its report
        **other,
    }
    subprocess.run(
        [sys.executable, "-W", "error::EncodingWarning", "-c", program, config],
        env=environment,
        cwd=cwd,
        check=True,
        capture_output=True,
    )
    kept = [
        path
        for path in home.rglob("*")
        if (path.suffix in (".parquet", ".html") or path.name == "report.json")
        and path.parent.name != "survey"
    ]
    return {
        path.relative_to(home).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in kept
    }


@pytest.fixture(scope="module")
def usual(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a build leaves on a usual machine."""
    left = built(folder, tmp_path_factory.mktemp("usual") / "home", PYTHONHASHSEED="0")
    assert {"tables/nodes.parquet", "assertions/pages/changes.parquet"} <= left.keys()
    return left


def test_without_the_packages_of_extras_the_files_are_the_same(
    folder: Path, usual: dict[str, str], tmp_path: Path
) -> None:
    assert built(folder, tmp_path / "home", WITHOUT + BUILD) == usual


def test_in_another_locale_zone_and_order_of_hashes_the_files_are_the_same(
    folder: Path, usual: dict[str, str], tmp_path: Path
) -> None:
    other = {"PYTHONHASHSEED": "4711", "LC_ALL": "C", "LANG": "C", "TZ": "Asia/Shanghai"}
    assert built(folder, tmp_path / "home", **other, threads="2") == usual


def test_file_whose_name_is_not_utf8_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + "/痛风.sssom.tsv".encode("gb18030")))
    path.write_text("x")
    with pytest.raises(
        SourceError, match=r"sssom\.tsv: the path is not UTF-8.*; rename it, or"
    ) as e:
        files(SssomSource(kind="sssom", name="odd", file=path))
    str(e.value).encode()
