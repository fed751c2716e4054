"""Drugs on sale, written ``product(generic drug)``.

The product is the maker's name with the drug's (``惠普森穿心莲内酯片``) or a brand
(``希舒美``), and is cut at 13 characters. Where the cut goes through the generic
drug's name, which stands whole in the parentheses, the product is completed from it;
a brand is sold in several forms, so it is a product only together with the generic drug.
"""

import re
from typing import Final, NamedTuple

_LONGEST: Final = 13
_LEAST: Final = 2
"""Characters that must agree before a cut name is completed."""
_WRITTEN: Final = re.compile(r"(?P<product>.+?)\((?P<generic>(?:[^()]|\([^()]*\))+)\)")


class Product(NamedTuple):
    """A drug on sale."""

    name: str
    generic: str


def product(written: str) -> Product | None:
    """The product that a text names; None if it is not written like one."""
    match = _WRITTEN.fullmatch(written.strip())
    if not match:
        return None
    name, generic = match["product"].strip(), match["generic"].strip()
    if name.endswith(generic):
        return Product(name, generic)
    return Product(_completed(name, generic) or f"{name}({generic})", generic)


def _completed(name: str, generic: str) -> str | None:
    """The whole name of a product whose name was cut within the generic drug's."""
    if len(name) != _LONGEST:
        return None
    for length in range(min(len(generic), _LONGEST) - 1, _LEAST - 1, -1):
        if name.endswith(generic[:length]):
            return name[:-length] + generic
    return None
