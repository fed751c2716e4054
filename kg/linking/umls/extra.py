"""Imports what only the extra 'link' installs, when it is needed."""

import warnings
from importlib import import_module
from typing import Any

from kg.errors import ConfigurationError


def import_extra(module: str) -> Any:  # noqa: ANN401 - untyped libraries
    """A module of scispaCy, spaCy, scikit-learn or nmslib.

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
            f"linking with UMLS needs {module}, which cannot be imported ({e}); "
            "install it with: pip install 'medkg[link]'"
        ) from e
