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
    text = (files(package) / name).read_text("utf-8")
    return yaml.load(text, _LOADER)  # noqa: S506 - both loaders are safe
