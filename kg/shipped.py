"""The YAML files that medkg ships: one parser for all of them."""

from typing import Any

import yaml


def shipped_yaml(text: str) -> Any:  # noqa: ANN401 - what stands in the file
    """What a YAML file that medkg ships says.

    libyaml reads it, seven times as fast as PyYAML's own parser. Nobody else's file comes here:
    brackets within brackets, ten thousand deep, end a process that reads them with libyaml.

    Args:
        text: of the file.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, loader)  # noqa: S506 - both are safe
