"""What finds the noun phrases of a page: medkg's rules, or a spaCy pipeline."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kg.errors import SourceError
from kg.linking.umls.extra import import_extra, installed_version
from kg.text.phrases import Phrase, phrases


@dataclass(frozen=True)
class PhraseFinder:
    """Finds the phrases of a text."""

    find: Callable[[str], list[Phrase]]
    longest: int = sys.maxsize
    """Characters of the longest text that it takes."""

    @classmethod
    def of(cls, model: str | Path | None) -> "PhraseFinder":
        """The pipeline named, or medkg's rules.

        Args:
            model: an installed package (``en_core_web_sm``, ``en_core_sci_sm``) or a folder that
                ``nlp.to_disk`` wrote.

        Raises:
            ConfigurationError: spaCy is not installed.
            SourceError: the pipeline is missing, cannot be loaded, or has no parser.
        """
        if model is None:
            return cls(phrases)
        nlp = _load(model)
        return cls(lambda text: phrases(text, nlp(text)), nlp.max_length)


def model_files(model: str | Path | None) -> tuple[Path, ...]:
    """The files of a pipeline that is given as a folder, in order."""
    if not isinstance(model, Path):
        return ()
    return tuple(sorted(path for path in model.rglob("*") if path.is_file()))


def model_versions(model: str | Path | None) -> Mapping[str, str]:
    """The versions of spaCy and of a pipeline that is a package; none without a model.

    Raises:
        ConfigurationError: spaCy is not installed.
        SourceError: the pipeline is not.
    """
    if model is None:
        return {}
    versions = {"spacy": installed_version("spacy", "the setting 'model'")}
    if isinstance(model, Path):
        if not model.is_dir():
            raise _missing(model)
        return versions
    try:
        return versions | {model: version(model)}
    except PackageNotFoundError as e:
        raise _missing(model) from e


def _missing(model: str | Path) -> SourceError:
    return SourceError(
        f"the model {str(model)!r} is neither an installed spaCy pipeline nor a folder with one; "
        "install it from where its publisher says, give its folder (./FOLDER), or take 'model' out"
    )


def _load(model: str | Path) -> Any:  # noqa: ANN401 -- spaCy is an extra
    spacy = import_extra("spacy", "the setting 'model'")
    model_versions(model)
    try:
        nlp = spacy.load(model)
    except (OSError, ValueError, ImportError, AttributeError) as e:
        why = next(filter(None, map(str.strip, str(e).splitlines())), repr(e))
        raise SourceError(
            f"the model {str(model)!r} cannot be loaded ({why}); see that it is a whole pipeline "
            f"of spaCy {version('spacy')}"
        ) from e
    if not any("token.dep" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise SourceError(
            f"the model {str(model)!r} has no parser, without which it finds no noun phrases "
            f"(it has {', '.join(nlp.pipe_names) or 'nothing'}); choose one that has"
        )
    return nlp
