"""Imports what only the extra 'link' installs, when it is needed."""

import warnings
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kg.errors import ConfigurationError


def import_extra(module: str, needed_by: str = "linking with UMLS") -> Any:  # noqa: ANN401 - untyped libraries
    """A module of scispaCy, spaCy, scikit-learn or nmslib.

    Args:
        module: its name.
        needed_by: what cannot be done without it, for the message.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    try:
        with warnings.catch_warnings():
            # pysbd, which scispaCy needs, has old escape sequences: Python tells whoever is
            # first to compile it.
            for category in (DeprecationWarning, SyntaxWarning):
                warnings.filterwarnings("ignore", "invalid escape sequence", category)
            return import_module(module)
    except ImportError as e:
        raise ConfigurationError(
            f"{needed_by} needs {module}, which cannot be imported ({e}); "
            "install it with: pip install 'medkg[link]'"
        ) from e


def installed_version(package: str, needed_by: str) -> str:
    """The version of a package of the extra, which is not imported.

    Raises:
        ConfigurationError: it is not installed.
    """
    try:
        return version(package)
    except PackageNotFoundError as e:
        raise ConfigurationError(
            f"{needed_by} needs {package}, which is not installed; "
            "install it with: pip install 'medkg[link]'"
        ) from e
