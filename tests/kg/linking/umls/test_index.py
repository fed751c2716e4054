import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from kg.errors import LinkingError
from kg.linking.umls import UmlsConfig, UmlsIndex, candidate_generator, open_index
from kg.linking.umls.building import build_index
from kg.progress import Silent
from tests.kg.linking.umls.conftest import write_release

pytest.importorskip("nmslib", reason="the extra 'link' is not installed")


def test_index_is_kept_until_something_changes(tmp_path: Path) -> None:
    release = write_release(tmp_path / "META", [("C0018099", "ENG", "Gout")])
    folder = tmp_path / "umls" / "index"
    first = open_index(release, folder, Silent())
    again = open_index(release, folder, Silent())
    assert (first.made, again.made) == (True, False)
    assert again.read == first.read
    english = release.model_copy(update={"languages": ("en",)})
    assert open_index(english, folder, Silent()).made
    os.utime(tmp_path / "META" / "MRSTY.RRF", (1, 1))
    assert open_index(english, folder, Silent()).made
    assert [path.name for path in folder.parent.iterdir()] == ["index"]


@pytest.fixture
def kept(index: UmlsIndex, tmp_path: Path) -> Path:
    """A copy of the index of ``release``."""
    return shutil.copytree(index.folder, tmp_path / "umls" / "index")


def test_threshold_changes_no_index(release: UmlsConfig, kept: Path) -> None:
    stricter = release.model_copy(update={"threshold": 0.9})
    assert not open_index(stricter, kept, Silent()).made


@pytest.mark.parametrize("damaged", ["index.json", "names.hnsw", "keys.parquet"])
def test_index_that_lacks_a_file_is_made_again(
    damaged: str, release: UmlsConfig, kept: Path
) -> None:
    (kept / damaged).unlink()
    assert open_index(release, kept, Silent()).made
    assert (kept / damaged).is_file()


def test_same_release_makes_the_same_index(
    release: UmlsConfig, index: UmlsIndex, tmp_path: Path
) -> None:
    open_index(release, tmp_path / "two", Silent())
    bytes_of = [
        {f.name: f.read_bytes() for f in folder.glob("names.hnsw*")}
        for folder in (index.folder, tmp_path / "two")
    ]
    assert bytes_of[0]
    assert bytes_of[0] == bytes_of[1]
    assert candidate_generator(tmp_path / "two")


class _StopAt:
    """Progress that is interrupted when a step begins."""

    def __init__(self, step: str) -> None:
        self._step = step

    @contextmanager
    def step(self, name: str, total: int | None = None):  # type: ignore[no-untyped-def]  # noqa: ANN202
        if name == self._step:
            raise KeyboardInterrupt
        with Silent().step(name, total) as advance:
            yield advance


@pytest.mark.parametrize("step", ["Reading MRCONSO.RRF", "Normalising names", "Weighing names"])
def test_interrupted_build_leaves_what_was_there(
    step: str, release: UmlsConfig, kept: Path
) -> None:
    before = (kept / "index.json").read_bytes()
    other = release.model_copy(update={"languages": ("en",)})
    with pytest.raises(KeyboardInterrupt):
        open_index(other, kept, _StopAt(step))
    assert (kept / "index.json").read_bytes() == before
    assert [path.name for path in kept.parent.iterdir()] == ["index"]


def test_failed_building_process_says_why(tmp_path: Path) -> None:
    (tmp_path / "spellings.parquet").write_bytes(b"no Parquet")
    with pytest.raises(LinkingError, match=r"the candidate index cannot be built \(.*Parquet"):
        build_index(tmp_path, Silent())


def test_ctrl_c_ends_the_building_process(tmp_path: Path) -> None:
    names = [("C0018099", "ENG", f"name {at} of gout {at * 7919 % 10_007}") for at in range(9_000)]
    config = write_release(tmp_path / "META", names)
    program = (
        "import sys; from pathlib import Path; from kg.linking.umls import *\n"
        "from kg.commands import Bars\n"
        f"open_index(UmlsConfig(folder={str(config.folder)!r}), Path({str(tmp_path / 'i')!r}), Bars())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr
        for line in process.stderr:
            if "Building the candidate index" in line:
                break
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)
        assert time.monotonic() - begun < 20
    assert process.returncode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["META"]
