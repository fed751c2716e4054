"""SSSOM mapping sets (https://mapping-commons.github.io/sssom/): a table below a YAML header.

The header stands in lines that begin with ``#``; what it says of the set as a
whole (``subject_type``, for one) holds for every row that does not say otherwise.
"""

from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ValidationError

from ingest.reading import text_lines
from kg.errors import SourceError

COLUMNS: Final = ("subject_id", "predicate_id", "object_id")
"""Columns without which a table is no mapping set."""


class Metadata(BaseModel, frozen=True, extra="ignore"):
    """What the header says, as far as it matters here."""

    curie_map: dict[str, str] = {}
    """What each prefix stands for."""
    subject_type: str | None = None
    object_type: str | None = None


def metadata(path: Path) -> Metadata:
    """The header of a mapping set; empty where it has none.

    Raises:
        SourceError: the file cannot be read, or its header is not YAML of the right shape.
    """
    header = []
    with text_lines(path) as lines:
        for line in lines:
            if not line.startswith("#"):
                break
            header.append(line[1:])
    try:
        return Metadata.model_validate(yaml.safe_load("".join(header)) or {})
    except yaml.YAMLError as e:
        why = " ".join(str(e).split())[:200]
        raise SourceError(f"{path}: the header is not YAML ({why}); correct it") from e
    except ValidationError as e:
        first = e.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise SourceError(
            f"{path}: the header is no SSSOM metadata ({where}: {first['msg']}); correct it"
        ) from e
