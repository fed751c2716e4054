"""Who plays which role: models, endpoints, keys and their limits, all of them stated.

Every role is bound explicitly; there is no default model that one could fall back to in silence.
A role is played by an endpoint that speaks OpenAI's protocol (``base_url``), by a provider of Inspect
(``openai/gpt-4o``), or by medkg itself (``medkg/patient``), which needs neither key nor network.
"""

import json
import os
import re
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cypher.translation import translate
from evalsim.briefs import Role
from kg.errors import ConfigurationError

ROLES: Final[tuple[Role, ...]] = ("director", "patient", "doctor", "judge")
OWN: Final = "medkg/"
"""Begins the names of what medkg plays itself."""
_WANTED: Final = {
    "bool": "true or false",
    "float": "a number",
    "greater_than_equal": "{ge} or more",
    "int": "a whole number",
    "literal_error": "one of {expected}",
    "string": "a text",
    "tuple": "a list",
}
"""What a field takes, by how pydantic's name of the error begins."""
LIMITS: Final = frozenset({"max_connections", "max_retries", "attempt_timeout", "timeout"})
"""Of calls: fields of a player that no answer depends on."""
_VARIABLE: Final = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_PATIENCE: Final = 5.0
"""Seconds to wait for an endpoint to be reached."""


class Player(BaseModel):
    """One model in one role."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str
    """``medkg/NAME``; with ``base_url`` the name that the endpoint has for it; else Inspect's
    name of it (``openai/gpt-4o``)."""
    base_url: str | None = None
    """Of an endpoint that speaks OpenAI's protocol, up to ``/v1``."""
    key: str | None = None
    """Name of the environment variable that holds the key; None: the endpoint asks for none, or
    Inspect's provider knows the name."""
    temperature: float | None = None
    max_tokens: int | None = 4096
    seed: int | None = None
    """Sent to the endpoint; None: that of the run."""
    structured: bool = True
    """Ask for JSON by ``response_format`` where a role gives JSON; an endpoint that refuses it is
    asked without."""
    max_connections: int = Field(default=32, ge=1)
    max_retries: int = Field(default=4, ge=0)
    attempt_timeout: int = Field(default=120, ge=1)
    """Seconds that one attempt may take."""
    timeout: int = Field(default=600, ge=1)
    """Seconds that a call may take with all its retries."""
    graph: str | None = None
    """Of a role that medkg plays: the graph that it sees; None: that of the run."""

    @field_validator("base_url")
    @classmethod
    def _no_credentials(cls, url: str | None) -> str | None:
        if url is None:
            return None
        if "@" in url or "?" in url:  # first, so that no message shows them
            message = "an address holds no credentials; name the variable of the key by 'key'"
            raise ValueError(translate(message))
        try:
            address = urlsplit(url)
            is_address = (
                address.scheme in ("http", "https") and address.hostname and address.port != 0
            )
        except ValueError:  # its port is no number, say
            is_address = False
        if not is_address:
            message = "{url} is no address of the web; write e.g. http://localhost:8000/v1"
            raise ValueError(translate(message, url=url))
        return url

    @property
    def own(self) -> bool:
        """Whether medkg plays it itself."""
        return self.model.startswith(OWN)

    @property
    def name(self) -> str:
        """As reports call it."""
        return self.model

    def identity(self) -> dict[str, Any]:
        """What its calls depend on; retries, limits of connections and keys are left out."""
        return self.model_dump(mode="json", exclude={"key", *LIMITS})


class Cast(BaseModel):
    """Who plays each role of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    director: Player | None
    """None: there is none, which is the ablation of tables 6 and 7."""
    patient: Player
    doctor: Player
    judge: tuple[Player, ...] = Field(min_length=1)

    def players(self) -> list[tuple[str, Player]]:
        """Every player with its role; judges after the first are numbered."""
        judges = [
            ("judge" if number == 0 else f"judge {number + 1}", judge)
            for number, judge in enumerate(self.judge)
        ]
        director = [("director", self.director)] if self.director else []
        return [*director, ("patient", self.patient), ("doctor", self.doctor), *judges]


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "offline": {
        "director": {"model": "medkg/director"},
        "patient": {"model": "medkg/patient"},
        "judge": [{"model": "medkg/judge"}],
    },
    # section 5.1 of MedKGEval; where they are served, and with which key, is yours to say
    "paper": {
        "director": {"model": "deepseek-ai/DeepSeek-R1", "max_tokens": 16_384},
        "patient": {"model": "Qwen/QwQ-32B", "max_tokens": 16_384},
        "judge": [{"model": "Qwen/QwQ-32B", "max_tokens": 16_384}],
    },
}
"""Roles by name; what a file or an option says of a role is added to it."""


def read_cast(
    models: Mapping[str, str],
    file: Path | None = None,
    preset: str | None = None,
    *,
    director: bool = True,
    judges: Sequence[str] = (),
) -> Cast:
    """Who plays each role.

    Args:
        models: the model of a role, as an option of the command line names it.
        file: YAML: a mapping of a role to a mapping of ``Player``'s fields, for ``judge`` a list
            of them too.
        preset: a name in ``PRESETS``.
        director: whether there is one.
        judges: models of the judges, as options name them; none: those of the file or preset.

    Raises:
        ConfigurationError: a role is not bound, the file cannot be read, or says what no role has.
    """
    if preset is not None and preset not in PRESETS:
        message = "there is no preset {name!r}; choose one of {names}"
        raise ConfigurationError(translate(message, name=preset, names=", ".join(PRESETS)))
    bound: dict[str, Any] = {k: _copy(v) for k, v in PRESETS[preset].items()} if preset else {}
    for role, role_settings in (_of_file(file) if file else {}).items():
        bound[role] = _joined(bound.get(role), role_settings)
    for role, model in models.items():
        bound[role] = _joined(bound.get(role), {"model": model})
    if judges:
        bound["judge"] = [{"model": model} for model in judges]
    needed = [role for role in ROLES if director or role != "director"]
    if missing := [role for role in needed if role not in bound]:
        message = "{roles}: not bound; name a model for each role, e.g. --{role} {model}"
        raise ConfigurationError(
            translate(
                message, roles=", ".join(missing), role=missing[0], model=_own_model(missing[0])
            )
        )
    if not director:
        bound["director"] = None
    elif bound["director"] is None:  # which is no way to ask for the ablation
        no_director = {"loc": ("director",), "input": None}
        raise ConfigurationError(_fault(str(file or translate("roles")), no_director))
    if isinstance(bound["judge"], Mapping):
        bound["judge"] = [bound["judge"]]
    try:
        cast = Cast.model_validate(bound)
    except ValidationError as e:
        fault = _fault(str(file or translate("roles")), e.errors()[0])
        raise ConfigurationError(fault) from e
    return cast


def check_players(players: Mapping[str, Player]) -> None:
    """See that every role can be called, before the first call.

    No model is asked: a key must be there, an endpoint's port must be open, and what medkg plays
    itself must be of the role.

    Args:
        players: by role.

    Raises:
        ConfigurationError: one cannot.
    """
    for role, player in players.items():
        if player.own and not player.model.startswith(f"{OWN}{role.partition(' ')[0]}"):
            message = (
                "{role}: {model} plays another role; bind it to {fitting} or to a model of yours"
            )
            raise ConfigurationError(
                translate(message, role=role, model=player.model, fitting=_own_model(role))
            )
        if player.key is not None and not _VARIABLE.fullmatch(player.key):
            message = "{role}: key is the name of the environment variable that has the key, and not the key itself; set such a variable, and name it"
            raise ConfigurationError(translate(message, role=role))
        if player.key is not None and not os.environ.get(player.key):
            message = "{role}: the variable {key} is not set; set it to the key of {model}"
            raise ConfigurationError(
                translate(message, role=role, key=player.key, model=player.model)
            )
        if player.base_url is None or player.own:
            continue
        address = urlsplit(player.base_url)
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            socket.create_connection((address.hostname or "", port), _PATIENCE).close()
        except OSError as e:
            message = "{role}: {url} cannot be reached ({why}); start the endpoint of {model}, or mend its base_url"
            raise ConfigurationError(
                translate(
                    message,
                    role=role,
                    url=player.base_url,
                    why=e.strerror or e,
                    model=player.model,
                )
            ) from e


def _own_model(role: str) -> str:
    """What medkg plays a role by; judges may be numbered."""
    return f"{OWN}{'doctor-differential' if role == 'doctor' else role.partition(' ')[0]}"


def _of_file(file: Path) -> Mapping[str, Any]:
    try:
        content = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        problem: object = " ".join(str(e).split())
        if isinstance(e, yaml.MarkedYAMLError) and e.problem_mark:
            line = e.problem_mark.line + 1
            problem = translate("line {line}: {problem}", line=line, problem=e.problem)
        message = "{file}: cannot be read ({why}); give a YAML file of roles"
        raise ConfigurationError(translate(message, file=file, why=problem)) from e
    roles = ", ".join(ROLES)
    if not isinstance(content, Mapping):
        message = "{file}: names no role; write a line for each, e.g. 'doctor: {{model: openai/gpt-4o}}', of {roles}"
        raise ConfigurationError(translate(message, file=file, roles=roles))
    if unknown := sorted(set(content) - set(ROLES), key=str):
        message = "{file}: {what!r} is no role; write a mapping of {roles}"
        raise ConfigurationError(translate(message, file=file, what=unknown[0], roles=roles))
    return content


def _fault(file: str, error: Mapping[str, Any]) -> str:
    """What is wrong in a file of roles, in a sentence, of what pydantic found."""
    role, *path = error["loc"]
    if path and isinstance(path[0], int):
        role = "judge" if path[0] == 0 else f"judge {path[0] + 1}"
        path = path[1:]
    if not path:
        message = "{file}: {role} is {value}; write its fields, e.g. '{{model: openai/gpt-4o}}'"
        return translate(message, file=file, role=role, value=_as_yaml(error["input"]))
    field, error_type = path[0], error["type"]
    if error_type == "extra_forbidden":
        message = "{file}: {role} has no field {field}; there are {fields}"
        fields = ", ".join(Player.model_fields)
        return translate(message, file=file, role=role, field=field, fields=fields)
    if error_type == "missing":
        message = "{file}: {role} has no {field}; give it, e.g. '{field}: openai/gpt-4o'"
        return translate(message, file=file, role=role, field=field)
    if error_type == "value_error":
        why = error["msg"].removeprefix("Value error, ")
        return translate(
            "{file}: {field} of {role}: {why}", file=file, role=role, field=field, why=why
        )
    expected = next(
        (wanted for prefix, wanted in _WANTED.items() if error_type.startswith(prefix)), error_type
    )
    return translate(
        "{file}: {field} of {role} is {value}; write {wanted}",
        file=file,
        field=field,
        role=role,
        value=_as_yaml(error["input"]),
        wanted=translate(expected, **error.get("ctx", {})),
    )


def _as_yaml(value: object) -> str:
    """As a file says it, in one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _joined(earlier: Any, later: Any) -> Any:  # noqa: ANN401 - what YAML gives
    """What a later setting makes of a role: a mapping is added, a list takes its place."""
    if isinstance(earlier, Sequence) and len(earlier) == 1 and isinstance(later, Mapping):
        return [{**earlier[0], **later}]
    if isinstance(earlier, Mapping) and isinstance(later, Mapping):
        return {**earlier, **later}
    return later


def _copy(value: Any) -> Any:  # noqa: ANN401 - what a preset has
    return [dict(each) for each in value] if isinstance(value, list) else dict(value)
