"""How alike two canonical keys are: string measures by name, all in [0, 1].

What they compare:

* ``ratio``: the keys letter by letter (twice the letters in common, in order, over all
  letters); ``QRatio`` is the same but 0 for an empty key
* ``token_sort_ratio``: the keys with their words in alphabetical order
* ``any_order_ratio``: the better of both; a misspelt first letter moves a word when words
  are sorted, and another order of words ruins the plain comparison
* ``token_set_ratio``: what both have with what only one has; 1 where one has all words of
  the other
* ``partial_ratio``: the shorter key with the stretch of the longer that is most like it
* ``WRatio``: the best of all these, by weights that depend on the keys' lengths
* ``fuzzywuzzy.WRatio``: the same by the library that papers name, in whole per cent
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from cypher.translation import translate
from kg.errors import ConfigurationError

Scorer = Callable[[str, str], float]
Measure = Callable[..., float]

DEFAULT_SCORER: Final = "any_order_ratio"

_FUZZYWUZZY: Final = "fuzzywuzzy.WRatio"
_BEST_OF: Final[Mapping[str, tuple[Measure, ...]]] = MappingProxyType(
    {
        "WRatio": (fuzz.WRatio,),
        "QRatio": (fuzz.QRatio,),
        "ratio": (fuzz.ratio,),
        "token_sort_ratio": (fuzz.token_sort_ratio,),
        "any_order_ratio": (fuzz.ratio, fuzz.token_sort_ratio),
        "token_set_ratio": (fuzz.token_set_ratio,),
        "partial_ratio": (fuzz.partial_ratio,),
    }
)


def _best_of(measures: Sequence[Measure]) -> Scorer:
    return lambda key, other: max(measure(key, other) for measure in measures) / 100


def _fuzzywuzzy(key: str, other: str) -> float:
    try:
        from fuzzywuzzy import fuzz as original  # noqa: PLC0415 -- GPL: only for who installs it
    except ModuleNotFoundError as e:
        raise ConfigurationError(
            translate(
                "the scorer {fuzzywuzzy} needs fuzzywuzzy, which is not installed; run: pip install 'medkg[fuzzywuzzy]'",
                fuzzywuzzy=_FUZZYWUZZY,
            )
        ) from e
    return float(original.WRatio(key, other)) / 100


SCORERS: Final[Mapping[str, Scorer]] = MappingProxyType(
    {name: _best_of(measures) for name, measures in _BEST_OF.items()} | {_FUZZYWUZZY: _fuzzywuzzy}
)


def scorer(name: str) -> Scorer:
    """The measure of that name, ready to be used.

    Raises:
        ConfigurationError: there is none, or its library is not installed.
    """
    if name not in SCORERS:
        raise ConfigurationError(
            translate(
                "no scorer is called {name!r}; choose one of {names}",
                name=name,
                names=", ".join(SCORERS),
            )
        )
    measure = SCORERS[name]
    measure("a", "a")  # a library that is missing is told of now
    return measure


def scores(name: str, key: str, keys: Sequence[str]) -> list[float]:
    """How alike a key is to each of several; faster than one by one.

    Raises:
        ConfigurationError: there is no such scorer, or its library is not installed.
    """
    if name not in _BEST_OF:
        measure = scorer(name)
        return [measure(key, other) for other in keys]
    measured = [
        process.cdist([key], keys, scorer=measure, dtype=np.float64)[0]
        for measure in _BEST_OF[name]
        if keys
    ]
    best: list[float] = (np.max(measured, axis=0) / 100).tolist() if measured else []
    return best
