"""What of UMLS is linked with, and how sure a link must be."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, field_validator

from kg.errors import ConfigurationError
from kg.linking.umls.semantic_types import SEMANTIC_TYPES

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType({"en": "ENG", "zh": "CHI"})
"""UMLS's own code (LAT) of each language that names may have."""

_TUI: Final = re.compile(r"T\d{3}")


class UmlsConfig(BaseModel, frozen=True, extra="forbid"):
    """A folder with UMLS files, and which of their names count."""

    folder: Path
    """Has MRCONSO.RRF and MRSTY.RRF, or these as .gz; a release's folder above META will do."""
    languages: tuple[str, ...] = ("en", "zh")
    """``en`` and ``zh``; UMLS's own ENG and CHI will do."""
    vocabularies: tuple[str, ...] = ()
    """Abbreviations of source vocabularies (SAB), e.g. MSH, SNOMEDCT_US; empty: all."""
    semantic_types: tuple[str, ...] = ()
    """Type identifiers (TUI), e.g. T047; empty: all that a node type is linked with."""
    threshold: float | None = None
    """Cosine similarity in (0, 1] from which a similar name is trusted; None: calibrated."""

    @field_validator("languages")
    @classmethod
    def _known_languages(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        by_code = {code: language for language, code in LANGUAGES.items()}
        languages_of_config = _distinct(
            by_code.get(language.upper(), language.lower()) for language in languages
        )
        if unknown := [language for language in languages_of_config if language not in LANGUAGES]:
            raise ConfigurationError(
                f"{unknown[0]!r} is not a language that medkg links; choose one of "
                f"{', '.join(LANGUAGES)}"
            )
        if not languages_of_config:
            raise ConfigurationError(f"no language of UMLS; choose one of {', '.join(LANGUAGES)}")
        return languages_of_config

    @field_validator("vocabularies")
    @classmethod
    def _upper(cls, vocabularies: tuple[str, ...]) -> tuple[str, ...]:
        return _distinct(name.strip().upper() for name in vocabularies)

    @field_validator("semantic_types")
    @classmethod
    def _type_identifiers(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        identifiers = _distinct(type_.strip().upper() for type_ in types)
        for tui in identifiers:
            if not _TUI.fullmatch(tui):
                raise ConfigurationError(
                    f"{tui!r} is not a semantic type; write its identifier, e.g. T047"
                )
            if tui not in SEMANTIC_TYPES:
                raise ConfigurationError(
                    f"no node type of medkg is linked with the semantic type {tui}; choose one of "
                    f"{', '.join(sorted(SEMANTIC_TYPES))}"
                )
        return identifiers

    @field_validator("threshold")
    @classmethod
    def _similarity(cls, threshold: float | None) -> float | None:
        if threshold is not None and not 0 < threshold <= 1:
            raise ConfigurationError(
                f"{threshold} is not a similarity; choose a threshold above 0, at most 1, "
                "or none for the calibrated one"
            )
        return threshold

    @property
    def types(self) -> tuple[str, ...]:
        """The semantic types that count."""
        return self.semantic_types or tuple(sorted(SEMANTIC_TYPES))


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values) - {""}))
