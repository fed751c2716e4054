"""What people read in their own language: English in the code, others in ``languages/*.yaml``.

A file of that folder is a language, named by its code of ISO 639-1. It maps the English text as the
code has it, with the names of its values in braces, to what stands for it::

    texts:
      "{count} rows": "{count} 行"
    columns:
      disease_id: 疾病编码

What a file does not have is shown in English. JSON and CSV, which programs read, have the names of
the code in any language.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from cypher.errors import MedKGError

FOLDER: Final = Path(__file__).parent / "languages"
"""Where the languages are."""

ENGLISH: Final = "en"
CHINESE: Final = "zh"

_ENVIRONMENT: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which GNU gettext asks them."""
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_VALUE: Final = re.compile(r"\{(\w+)")


Section = Literal["columns", "headings", "queries", "relations", "types"]
"""What a file has titles for, beside its texts: each by its name in the code."""


@dataclass(frozen=True)
class Language:
    """A language, and what it says in place of English."""

    code: str = ENGLISH
    name: str = "English"
    """In the language itself."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """By the English text."""
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By section, by name."""


_SPOKEN: ContextVar[Language] = ContextVar("spoken", default=Language())  # noqa: B039 - frozen


def read_language(path: Path) -> Language:
    """Read a file of a language.

    Raises:
        MedKGError: it is no such file, or a text has other values than the English one.
    """
    import yaml  # noqa: PLC0415 - '--help' does without

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's is many times as fast
    try:
        read = yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 - both are safe
    except (UnicodeDecodeError, yaml.YAMLError) as e:
        why = " ".join(str(e).split())
        raise MedKGError(f"{path}: not YAML in UTF-8 ({why}); mend the file") from e
    if not isinstance(read, dict) or not isinstance(read.get("name"), str):
        raise MedKGError(f"{path}: has no name; write how the language calls itself, 'name: …'")
    known = ("texts", *get_args(Section))
    for section, lines in read.items():
        if section not in ("name", *known):
            raise MedKGError(f"{path}: no section is {section!r}; known are {', '.join(known)}")
        if section != "name":
            _check(lines, f"{path}, {section}")
    titles = {name: read[name] for name in get_args(Section) if name in read}
    return Language(path.stem, read["name"], read.get("texts", {}), titles)


def _check(lines: object, where: str) -> None:
    if not isinstance(lines, dict):
        raise MedKGError(f"{where}: has no lines; write 'English text: text', or leave it out")
    for text, translation in lines.items():
        if not isinstance(text, str) or not isinstance(translation, str):
            raise MedKGError(f"{where}: {text!r} or what it becomes is no text; put it in quotes")
        if set(_VALUE.findall(text)) != set(_VALUE.findall(translation)):
            raise MedKGError(
                f"{where}: {translation!r} has not the values in braces of {text!r}; write the same"
            )


def languages() -> tuple[str, ...]:
    """The codes of the languages that there are."""
    return tuple(sorted({ENGLISH, *(path.stem for path in FOLDER.glob("*.yaml"))}))


@cache
def language(code: str) -> Language:
    """The language of a code; English if there is no file of it.

    Raises:
        MedKGError: its file is malformed.
    """
    return (
        Language()
        if code == ENGLISH or code not in languages()
        else read_language(FOLDER / f"{code}.yaml")
    )


def known_language(tag: str) -> str | None:
    """The code of a language tag or locale (``zh-Hans``, ``zh_CN.UTF-8``); None: it is not known."""
    code = re.split(r"[-_.@]", tag.strip().lower())[0]
    return ENGLISH if code in {"c", "posix"} else code if code in languages() else None


def language_of_environment() -> str:
    """The code of the language that the environment asks for, as GNU gettext reads it."""
    settings = [os.environ[name] for name in _ENVIRONMENT if os.environ.get(name)]
    tags = settings[0].split(":") if settings else []
    return next(filter(None, map(known_language, tags)), ENGLISH)


def language_of(text: str) -> str:
    """The code of the language of a text: Chinese if it has a Chinese character.

    Other letters are of the environment's language, and English where that is Chinese.
    """
    if _HAN.search(text):
        return CHINESE
    of_environment = language_of_environment()
    return ENGLISH if of_environment == CHINESE and _LETTER.search(text) else of_environment


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within the context texts are of this language.

    Raises:
        MedKGError: its file is malformed.
    """
    token = _SPOKEN.set(language(code))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken() -> Language:
    """The language that is spoken here."""
    return _SPOKEN.get()


def translate(text: str, /, **values: object) -> str:
    """A text in the language that is spoken, with its values.

    Args:
        text: in English, with the names of its values in braces.
        values: by name.
    """
    translated = spoken().texts.get(text, text)
    return translated.format(**values) if values else translated


def title(section: Section, name: str, english: str | None = None) -> str:
    """What a column, a query and the like is called in the language that is spoken.

    Args:
        section: what it is.
        name: its name in the code.
        english: what it is called in English; None: its name.
    """
    return spoken().titles.get(section, {}).get(name, name if english is None else english)
