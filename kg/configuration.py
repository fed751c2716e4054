"""Settings: what the environment and a ``.env`` file say about stores, folders and endpoints."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cypher.translation import translate
from kg.errors import ConfigurationError

QUERY_TIMEOUT: Final = 60.0
"""Seconds a query may take, where neither the call nor a setting says anything else."""

_DOTENV = Path(".env")


@dataclass(frozen=True)
class Settings:
    """Where the graph is, and a language model. The environment wins over ``.env``."""

    neo4j_uri: str | None = None
    """``NEO4J_URI``; None: the embedded store."""
    neo4j_username: str = "neo4j"
    """``NEO4J_USERNAME``."""
    neo4j_password: str | None = field(default=None, repr=False)
    """``NEO4J_PASSWORD``."""
    neo4j_database: str = "neo4j"
    """``NEO4J_DATABASE``."""
    home: Path = Path(".medkg")
    """``MEDKG_HOME``: the folder of everything that medkg keeps."""
    query_timeout: float = QUERY_TIMEOUT
    """``MEDKG_QUERY_TIMEOUT``: seconds a query may take unless it is given others."""
    openai_base_url: str | None = None
    """``OPENAI_BASE_URL``: the address of an endpoint for language models, up to ``/v1``."""
    openai_api_key: str | None = field(default=None, repr=False)
    """``OPENAI_API_KEY``; None: the endpoint asks for none."""
    cache: Path | None = None
    """``MEDKG_CACHE``: the folder of what medkg downloads; None: the user's own for such."""

    @classmethod
    def read(cls, dotenv: Path = _DOTENV) -> Self:
        """From the environment and ``dotenv``; an empty value counts as none.

        Raises:
            ConfigurationError: ``dotenv`` is there and cannot be read, or a number is none.
        """
        values = {**_file_values(dotenv), **{k: v for k, v in os.environ.items() if v}}
        names = {
            "neo4j_uri": "NEO4J_URI",
            "neo4j_username": "NEO4J_USERNAME",
            "neo4j_password": "NEO4J_PASSWORD",
            "neo4j_database": "NEO4J_DATABASE",
            "openai_base_url": "OPENAI_BASE_URL",
            "openai_api_key": "OPENAI_API_KEY",
        }
        settings = {field: values[name] for field, name in names.items() if name in values}
        home = Path(values.get("MEDKG_HOME", ".medkg")).expanduser()
        cache = values.get("MEDKG_CACHE")
        return cls(
            **settings,
            home=home,
            query_timeout=_seconds(values.get("MEDKG_QUERY_TIMEOUT", str(QUERY_TIMEOUT))),
            cache=Path(cache).expanduser() if cache else None,
        )

    @property
    def graph(self) -> Path:
        """File of the embedded store."""
        return self.home / "graph.lbug"

    @property
    def tables(self) -> Path:
        """Folder of the graph tables that the last build made."""
        return self.home / "tables"

    @property
    def layers(self) -> Path:
        """Folder with one folder of graph tables a layer."""
        return self.home / "layers"

    @property
    def identities(self) -> Path:
        """Table of the ids that the last build merged (columns id, node)."""
        return self.home / "merge" / "identities.parquet"

    @property
    def linking(self) -> Path:
        """Folder of the index of the graph's names."""
        return self.home / "linking"

    @property
    def texts(self) -> Path:
        """Folder of the index of texts that questions are answered from."""
        return self.home / "texts"

    @property
    def embeddings(self) -> Path:
        """Folder with one folder a trained model."""
        return self.home / "embeddings"

    @property
    def server(self) -> Path:
        """Folder of the local Neo4j server."""
        return self.home / "neo4j"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if seconds > 0:  # nan is not
        return seconds
    raise ConfigurationError(
        translate(
            "MEDKG_QUERY_TIMEOUT: {text!r} is not a number of seconds; write e.g. 60", text=text
        )
    )


def _file_values(dotenv: Path) -> Mapping[str, str]:
    from dotenv import dotenv_values  # noqa: PLC0415 - 10 ms that '--help' need not spend

    if not dotenv.is_file():
        return {}
    try:
        return {name: value for name, value in dotenv_values(dotenv).items() if value}
    except (OSError, UnicodeDecodeError) as e:
        raise ConfigurationError(
            translate(
                "{dotenv}: cannot be read ({why}); make it a readable UTF-8 file or delete it",
                dotenv=dotenv,
                why=e,
            )
        ) from e
