"""The prompt templates: a Jinja2 file for each role, task and step, in English and Chinese.

A template is named ``<language>/<role>-<task>[-<step>].jinja`` and begins with a header between lines
of three dashes: the role, and the inputs that it uses, which are fields of its brief. The text after it
is the system message; what follows a line ``=== user`` is the user's. A folder of one's own may hold any
of them under the same names; those that it has not are medkg's.

What was said in a dialogue, and what a case says, is put into a prompt as JSON between two marks that
differ with each call, so that no role can take it for what it is told to do.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml
from jinja2 import Environment, StrictUndefined, TemplateError, TemplateSyntaxError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import SandboxedEnvironment
from pydantic import BaseModel, ConfigDict, ValidationError

from cypher.translation import translate
from evalsim.briefs import (
    Brief,
    DoctorBrief,
    GuideBrief,
    JudgeBrief,
    PersonaBrief,
    Role,
    ScreenBrief,
    SpeakBrief,
    UndirectedBrief,
)
from evalsim.dialogue import Turn
from kg.errors import ConfigurationError

_DASHES: Final = "---\n"
_USER: Final = "\n=== user\n"
_SUFFIX: Final = ".jinja"
_EXAMPLE: Final = "en/judge-medication"
_GIVEN: Final = frozenset({"mark", "pace"})
"""Inputs that every template has besides the fields of its brief."""


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    inputs: frozenset[str]


@dataclass(frozen=True)
class Rendered:
    """A prompt."""

    system: str
    user: str | None
    """None: the dialogue itself is what follows."""


def template_name(brief: Brief) -> str:
    """The template that renders a brief, without its language."""
    step = {
        PersonaBrief: "-persona",
        ScreenBrief: "-screen",
        GuideBrief: "-guide",
        SpeakBrief: "",
        UndirectedBrief: "-undirected",
        DoctorBrief: "",
        JudgeBrief: "",
    }[type(brief)]
    if isinstance(brief, DoctorBrief) and brief.everything is not None:
        step = "-single"
    if isinstance(brief, JudgeBrief) and brief.task == "diagnosis":
        step = f"-{brief.metric}"
    return f"{brief.role}-{brief.task}{step}"


class Prompts:
    """The templates that a run uses."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read all of them.

        Args:
            folder: templates that take the place of medkg's own of the same name.

        Raises:
            ConfigurationError: the folder or a file of it cannot be read, has a name that no
                template has, no header, or uses what its brief has not.
        """
        environment = SandboxedEnvironment(
            undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
        )
        environment.filters |= {"json": _json, "said": _lines_said}
        texts = _own_templates()
        if folder is not None:
            texts |= _of_folder(folder, texts.keys())
        self._templates = {
            name: _read(environment, name, where, text) for name, (where, text) in texts.items()
        }
        digest = blake2b(digest_size=16)
        for name, (_, text) in sorted(texts.items()):
            digest.update(f"{name}\0{text}\0".encode())
        self.checksum = digest.hexdigest()
        """Of all texts."""

    def names(self) -> list[str]:
        """Of the templates, with their language, sorted."""
        return sorted(self._templates)

    def render(self, brief: Brief, mark: str, **inputs: object) -> Rendered:
        """The prompt of a brief.

        Args:
            brief: what the role is told.
            mark: stands around what is quoted, and must be unknown to whoever said it.
            inputs: other inputs of every template.

        Raises:
            ConfigurationError: a template of one's own fails.
        """
        name = f"{brief.language}/{template_name(brief)}"
        values = {name: getattr(brief, name) for name in type(brief).model_fields}
        try:
            text = self._templates[name].render(**values, mark=mark, **inputs)
        except TemplateError as e:
            message = "template {name}: fails ({why}); mend it, or leave it out of your folder"
            raise ConfigurationError(translate(message, name=name, why=e.message)) from e
        system, user, user_text = text.partition(_USER)
        return Rendered(system.strip(), user_text.strip() if user else None)


def _own_templates() -> dict[str, tuple[str, str]]:
    root = files(__package__)
    return {
        f"{language}/{file.name.removesuffix(_SUFFIX)}": (
            f"{language}/{file.name}",
            file.read_text("utf-8"),
        )
        for language in ("en", "zh")
        for file in (root / language).iterdir()
        if file.name.endswith(_SUFFIX)
    }


def _of_folder(folder: Path, known_names: Any) -> dict[str, tuple[str, str]]:  # noqa: ANN401 - keys
    templates = {}
    try:
        for path in sorted(folder.rglob(f"*{_SUFFIX}")):
            name = path.relative_to(folder).as_posix().removesuffix(_SUFFIX)
            if name not in known_names:
                similar_names = get_close_matches(name, sorted(known_names), n=3, cutoff=0.3)
                message = "{file}: there is no template of that name; write e.g. {names}, as docs/prompts.md lists them"
                files = ", ".join(f"{each}{_SUFFIX}" for each in similar_names or [_EXAMPLE])
                raise ConfigurationError(translate(message, file=path, names=files))
            templates[name] = (str(path), path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as e:
        message = "{folder}: cannot be read ({why}); give a folder of templates"
        raise ConfigurationError(translate(message, folder=folder, why=e)) from e
    if not templates:
        message = "{folder}: has no template; put some there, e.g. {example}"
        example = f"{_EXAMPLE}{_SUFFIX}"
        raise ConfigurationError(translate(message, folder=folder, example=example))
    return templates


def _read(environment: Environment, name: str, file: str, text: str) -> Any:  # noqa: ANN401
    """The compiled template, its header checked."""
    before_header, _, after_dashes = text.partition(_DASHES)
    header_text, dashes, body = after_dashes.partition(_DASHES)
    problem = "it has no header between two lines '---'"
    try:
        if not before_header.strip() and dashes:
            header = _Header.model_validate(yaml.safe_load(header_text))
            problem = _fault(environment, name, header, body)
            if not problem:
                return environment.from_string(body)
    except TemplateSyntaxError as e:
        problem = f"{e.message}, line {e.lineno} after the header"
    except ValidationError as e:
        problem = f"header: {e.errors()[0]['msg']}"
    except yaml.YAMLError as e:
        problem = f"header: {e}"
    message = "{file}: is no template ({why}); see docs/prompts.md"
    raise ConfigurationError(translate(message, file=file, why=" ".join(problem.split())))


def _fault(environment: Environment, name: str, header: _Header, body: str) -> str:
    """What is wrong between a template's name, header and text; empty: nothing."""
    fields = _fields(name)
    if header.role != name.partition("/")[2].partition("-")[0]:
        return f"its header says that the role is {header.role}"
    used = find_undeclared_variables(environment.parse(body))
    if undeclared := sorted(used - header.inputs - _GIVEN):
        return f"it uses {undeclared}, which its header does not name"
    if unknown := sorted(header.inputs - fields):
        return f"its brief has no {unknown}, but {', '.join(sorted(fields))}"
    return ""


def _fields(name: str) -> set[str]:
    """Fields of the brief that a template of that name renders."""
    _, _, file_name = name.partition("/")
    role, _, task_step = file_name.partition("-")
    step = task_step.partition("-")[2]
    briefs: dict[tuple[str, str], type[Brief]] = {
        ("director", "persona"): PersonaBrief,
        ("director", "screen"): ScreenBrief,
        ("director", "guide"): GuideBrief,
        ("patient", ""): SpeakBrief,
        ("patient", "undirected"): UndirectedBrief,
        ("doctor", ""): DoctorBrief,
        ("doctor", "single"): DoctorBrief,
    }
    return set(briefs.get((role, step), JudgeBrief).model_fields)


def _json(value: Any) -> str:  # noqa: ANN401 - whatever a template quotes
    """A value as JSON in one line, so that it cannot end what quotes it."""

    def plain(part: Any) -> Any:  # noqa: ANN401
        if isinstance(part, BaseModel):
            return part.model_dump(mode="json", exclude_none=True)
        return [plain(item) for item in part] if isinstance(part, list | tuple) else part

    return json.dumps(plain(value), ensure_ascii=False)


def _lines_said(turns: Sequence[Turn]) -> list[Mapping[str, str]]:
    """What was said, one mapping of the speaker to the words each."""
    lines: list[Mapping[str, str]] = []
    for turn in turns:
        lines.append({"patient": turn.patient})
        if turn.doctor:
            lines.append({"doctor": turn.doctor})
    return lines
