"""Names as people misspell and vary them."""

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from string import ascii_lowercase
from typing import Final

Noise = Callable[[str, Random], str | None]
"""A name's other form, or None where the name has none."""

_TYPED: Final = re.compile(r"[a-z]{5,}")
_LONG: Final = 20
_ROMAN: Final = {"1": "I", "2": "II", "3": "III", "4": "IV", "5": "V", "6": "VI", "7": "VII"}
_ARABIC: Final = {roman: arabic for arabic, roman in _ROMAN.items()}
_NUMBERED: Final = re.compile(r"\b(type|stage|grade|class) (\d|[IVX]+)\b", re.IGNORECASE)
_BRITISH: Final = (
    *(
        (r"anemi", "anaemi"),
        (r"\bedem", "oedem"),
        (r"tumor", "tumour"),
        (r"(?<!o)esophag", "oesophag"),
    ),
    *((r"leukemi", "leukaemi"), (r"hemorrhag", "haemorrhag"), (r"\bhemo", "haemo")),
    *((r"\bhemat", "haemat"), (r"diarrhea", "diarrhoea"), (r"pediatric", "paediatric")),
    *((r"\bfetal", "foetal"), (r"\bceliac", "coeliac"), (r"color", "colour"), (r"fiber", "fibre")),
    *((r"ischemi", "ischaemi"), (r"glycemi", "glycaemi"), (r"uremi", "uraemi")),
    *((r"gynec", "gynaec"), (r"orthopedic", "orthopaedic"), (r"estrogen", "oestrogen")),
    *((r"ization", "isation"), (r"paralyz", "paralys"), (r"behavior", "behaviour")),
    *((r"hypoxemi", "hypoxaemi"), (r"septicemi", "septicaemi"), (r"lipidemi", "lipidaemi")),
)
_TRADED: Final = 2


def one_typo(name: str, random: Random) -> str | None:
    """A letter left out, doubled, exchanged, or two transposed, not at a word's beginning."""
    return _typos(name, random, 1)


def two_typos(name: str, random: Random) -> str | None:
    """Two words with a typo each, in a name of 20 letters at least."""
    return _typos(name, random, 2) if len(name) >= _LONG else None


def word_order(name: str, random: Random) -> str | None:
    """The words before or after the last one traded: ``failure, renal``."""
    del random
    words = name.replace(",", "").split()
    return f"{words[-1]}, {' '.join(words[:-1])}" if len(words) >= _TRADED else None


def plural(name: str, random: Random) -> str | None:
    """The last word in the plural."""
    del random
    if not re.search(r"[a-z]{4,}$", name) or name.endswith(("s", "ia")):
        return None
    if re.search(r"[^aeou]y$", name):
        return name[:-1] + "ies"
    return name + ("es" if re.search(r"(x|z|ch|sh)$", name) else "s")


def british(name: str, random: Random) -> str | None:
    """As the British spell it."""
    del random
    spelled = name
    for american, british_ in _BRITISH:
        spelled = re.sub(american, british_, spelled)
    return None if spelled == name else spelled


def numerals(name: str, random: Random) -> str | None:
    """Type 2 for type II, and the other way round."""
    del random

    def other(found: re.Match[str]) -> str:
        number = found[2].upper()
        return f"{found[1]} {_ROMAN.get(number) or _ARABIC.get(number) or found[2]}"

    changed = _NUMBERED.sub(other, name)
    return None if changed == name else changed


def hyphens(name: str, random: Random) -> str | None:
    """A hyphen left out or put in."""
    del random
    changed = name.replace("-", " ") if "-" in name else name.replace(" ", "-", 1)
    return None if changed == name else changed


def capitals(name: str, random: Random) -> str | None:
    """All in capitals."""
    del random
    return name.upper()


NOISES: Final[Mapping[str, Noise]] = {
    "one typo": one_typo,
    "two typos": two_typos,
    "word order": word_order,
    "plural": plural,
    "British": british,
    "numerals": numerals,
    "hyphens": hyphens,
    "capitals": capitals,
}


def _typos(name: str, random: Random, count: int) -> str | None:
    words = list(_TYPED.finditer(name))
    if len(words) < count:
        return None
    for word in sorted(random.sample(words, count), key=lambda w: -w.start()):
        name = name[: word.start()] + _mistyped(word[0], random) + name[word.end() :]
    return name


def _mistyped(word: str, random: Random) -> str:
    at = random.randrange(1, len(word) - 1)
    forms: Iterator[str] = iter(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + random.choice(ascii_lowercase.replace(word[at], "")) + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return random.choice([form for form in forms if form != word])
