"""What ``medkg eval`` needs besides a base install."""

import importlib.util

from cypher.translation import translate
from kg.errors import ConfigurationError


def need_inspect() -> None:
    """See that Inspect is installed.

    Raises:
        ConfigurationError: it is not.
    """
    if importlib.util.find_spec("inspect_ai") is None:
        message = "inspect-ai is not installed; install medkg with what evaluation needs: pip install 'medkg[eval]'"
        raise ConfigurationError(translate(message))
