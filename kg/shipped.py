"""Reads the tables that medkg's packages ship as YAML."""

from importlib.resources import files
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's is ten times as fast, and not in every build of PyYAML."""


def shipped_table(package: str, name: str) -> Any:  # noqa: ANN401 - whatever the file holds
    """What a YAML file of a package holds.

    Args:
        package: its import name.
        name: of the file in the package's folder.
    """
    return shipped_yaml((files(package) / name).read_text("utf-8"))


def shipped_yaml(text: str) -> Any:  # noqa: ANN401 - whatever the text holds
    """What the text of a file that medkg ships holds.

    Nobody else's text comes here: brackets within brackets, a hundred thousand deep, end a
    process that reads them with libyaml.

    Args:
        text: YAML.

    Raises:
        yaml.YAMLError: it is none.
    """
    return yaml.load(text, _LOADER)  # noqa: S506 - both loaders are safe
