"""Rows of a UMLS release, written by its published columns."""

from collections.abc import Iterable
from pathlib import Path

from kg.rrf import MRCONSO, MRDEF, MRREL, MRSTY

TYPES = {
    "C0018099": "T047",  # gout
    "C0003864": "T047",  # arthritis
    "C0003862": "T184",  # arthralgia
    "C0002144": "T121",  # allopurinol
    "C0022417": "T030",  # joints
    "C0205082": "T080",  # severe, a qualitative concept
}
NAMES = {
    "C0018099": "Gout",
    "C0003864": "Arthritis",
    "C0003862": "Arthralgia",
    "C0002144": "Allopurinol",
    "C0022417": "Joints",
    "C0205082": "Severe (severity modifier)",
}


def line(columns: tuple[str, ...], cells: dict[str, str]) -> str:
    return "".join(f"{cells.get(column, '')}|" for column in columns)


def conso(cui: str, name: str, **cells: str) -> str:
    """A name; the preferred one of English unless ``cells`` say otherwise."""
    preferred = {"TS": "P", "STT": "PF", "ISPREF": "Y"}
    own = {"CUI": cui, "LAT": "ENG", "AUI": f"A{cui[1:]}", "SAB": "MSH", "TTY": "MH", "STR": name}
    return line(MRCONSO, {**own, **preferred, "SUPPRESS": "N", **cells})


def synonym(cui: str, name: str, **cells: str) -> str:
    return conso(cui, name, **{"TS": "S", "AUI": f"B{cui[1:]}", "TTY": "ET", **cells})


def sty(cui: str, tui: str) -> str:
    return line(MRSTY, {"CUI": cui, "TUI": tui, "STY": "a type"})


def rel(second: str, word: str, first: str, **cells: str) -> str:
    """CUI2, what it is, CUI1: as it reads."""
    own = {"CUI1": first, "REL": "RO", "CUI2": second, "RELA": word, "SAB": "MED-RT"}
    return line(MRREL, {**own, "SUPPRESS": "N", **cells})


def definition(cui: str, text: str, **cells: str) -> str:
    own = {"CUI": cui, "AUI": f"A{cui[1:]}", "SAB": "MSH", "DEF": text, "SUPPRESS": "N"}
    return line(MRDEF, {**own, **cells})


def release(
    folder: Path,
    names: Iterable[str] = (),
    *,
    types: Iterable[str] = (),
    relations: Iterable[str] = (),
    definitions: Iterable[str] = (),
) -> Path:
    """A release with NAMES and TYPES, and more; MRREL and MRDEF only if they have rows."""
    rows = {
        "MRCONSO.RRF": [*(conso(cui, name) for cui, name in NAMES.items()), *names],
        "MRSTY.RRF": [*(sty(cui, tui) for cui, tui in TYPES.items()), *types],
        "MRREL.RRF": [*relations],
        "MRDEF.RRF": [*definitions],
    }
    for name, lines in rows.items():
        if lines:
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
