"""What ``medkg eval`` needs besides a base install."""

import importlib.util
from importlib.metadata import entry_points
from typing import Final

from cypher.translation import translate
from kg.errors import ConfigurationError

_GROUP: Final = "inspect_ai"
_LONGEST: Final = 300


def need_inspect() -> None:
    """See that Inspect is installed.

    Raises:
        ConfigurationError: it is not.
    """
    if importlib.util.find_spec("inspect_ai") is None:
        message = "inspect-ai is not installed; install medkg with what evaluation needs: pip install 'medkg[eval]'"
        raise ConfigurationError(translate(message))


def need_extensions() -> None:
    """See that Inspect is installed, and that all that extends it can be imported.

    Inspect only warns of an extension that cannot, and then knows neither its tasks nor its models, or
    leaves out its hooks in silence.

    Raises:
        ConfigurationError: it is not, or one cannot.
    """
    need_inspect()
    for entry in entry_points(group=_GROUP):
        try:
            entry.load()
        except Exception as e:  # a module raises what it likes
            message = "{module} cannot be imported ({why}), which extends Inspect by the entry point {name} of {distribution}; mend or uninstall that"
            problem = " ".join(f"{type(e).__name__}: {e}".split())[:_LONGEST]
            package = entry.dist.name if entry.dist else "?"
            raise ConfigurationError(
                translate(
                    message, module=entry.value, why=problem, name=entry.name, distribution=package
                )
            ) from e
