"""The Biolink Model as the package biolink-model has it, and koza, where they are installed.

medkg needs neither. ``koza==2.7.*`` (with ``duckdb<2``, which it is written for) into an
environment of its own brings both; MEDKG_TEST_KOZA names that environment's folder.
"""

import importlib.util
import os
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

_ENVIRONMENT = os.environ.get("MEDKG_TEST_KOZA")
"""Read now: every test clears it."""


@dataclass(frozen=True)
class BiolinkModel:
    """Names of the model as its users write them."""

    model: dict[str, Any]

    def predicates(self) -> set[str]:
        """``treats``, ``has_phenotype`` …"""
        return {name.replace(" ", "_") for name in self._below("slots", "related to")}

    def slots(self) -> set[str]:
        """Columns that a record may have."""
        return {name.replace(" ", "_") for name in self.model["slots"]}

    def classes_of_things(self) -> set[str]:
        """``Disease``, ``PhenotypicFeature`` …; attributes are things there as well."""
        return set(map(_camel, self._below("classes", "entity")))

    def classes_of_edges(self) -> set[str]:
        """``GeneToDiseaseAssociation`` …"""
        return set(map(_camel, self._below("classes", "association")))

    def values(self, enumeration: str) -> set[str]:
        """What an enumeration permits."""
        return set(self.model["enums"][enumeration]["permissible_values"])

    def _below(self, kind: str, root: str) -> set[str]:
        parents = {name: (part or {}).get("is_a") for name, part in self.model[kind].items()}
        mixed = {name: (part or {}).get("mixins") or [] for name, part in self.model[kind].items()}

        def is_below(name: str | None) -> bool:
            if name is None or name == root:
                return name is not None
            return is_below(parents[name]) or any(map(is_below, mixed[name]))

        return set(filter(is_below, self.model[kind]))


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split(" "))


@cache
def biolink_model() -> BiolinkModel:
    """The model; the test is skipped where it is not installed."""
    places = [Path(_ENVIRONMENT)] if _ENVIRONMENT else []
    found = [path for place in places for path in place.glob("lib/*/site-packages/biolink_model")]
    package = importlib.util.find_spec("biolink_model")
    if package is not None and package.submodule_search_locations:
        found.append(Path(package.submodule_search_locations[0]))
    if not found:
        pytest.skip("biolink-model is not installed, nor does MEDKG_TEST_KOZA name an environment")
    text = (found[0] / "schema" / "biolink_model.yaml").read_text(encoding="utf-8")
    return BiolinkModel(yaml.load(text, yaml.CSafeLoader))


def koza_program() -> str:
    """The program koza; the test is skipped where it is not installed."""
    folders = [str(Path(_ENVIRONMENT) / "bin")] if _ENVIRONMENT else []
    program = shutil.which("koza", path=os.pathsep.join([*folders, os.environ["PATH"]]))
    if program is None:
        pytest.skip("koza is not installed, nor does MEDKG_TEST_KOZA name an environment")
    return program
