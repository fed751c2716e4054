"""Names that are symbols (WAS, ALL, COPD): a text means them only as they are written."""

import re
from typing import Final

_SYMBOL: Final = re.compile(r"(?=(?:.*[A-Z0-9]){2})(?=.*[A-Z])[A-Za-z0-9-]{2,6}")
_SHORTEST: Final = 3

_SAYING_NOTHING: Final = """
a about after again ago all also am an and any are as ask at be been before but by call came
can come could did do does doing don done each else end even ever every excluded far feel felt
few find for from gave get give go goes going gone good got great guest had has have he hear
hello her here hers hey hi him his how i if in into is it its just keep kind know last least
left less let like lot made make man many may maybe me mean might mine more most much must my
need never new next no nor not now of off often oh ok okay old on once one only or other our
ours out over own per please put quite rather really right said same saw say see seem seen set
severe she should since so some soon still such sure take taken tell than thank that the their
them then there these they thing think this those though to told too took try two under until
up upon us use used very want was way we well went were what when where which who why will with
would yes yet you your
"""
_NEVER_MEANT: Final = frozenset(_SAYING_NOTHING.split())
"""Words that speak of nothing medical, whatever goes by them; a symbol in capitals may."""
_SHORT_WORDS: Final = """
able ace act add adds age ages aid aids aim air ant arm art ate bad bag ball ban bar base bat
bath bed bee beg best bet big bit bite bone both box boy bug bus buy cap car care case cat cd
chip clip cold cop cord cost cough cup cut dad day days dead deep die diet dim doc dog dot down
drug dry due ear ears ease east eat egg eye eyes face fact fall fast fat fear feet fell fine
fish fit flow food foot four free fun game gap gas goal gold hair hand hard hat head heat help
high hip hit hold home hot ice ill iron jaw job joy kid knee lab lack lad lap large late lead
leg lid life lift limb lip live long look lost low lung mad main map mark mass mat meal meet
men met mild mind miss mom mouth nap near neck net nice night nod nose nut oil pad page pain
pale palm part past path pay peak pen pet pill pit place plan play plus poor pop post pot pump
push raid ran rang rap rare rash rat raw red rest rib rid ring rise risk road role room run sad
safe salt sat save send sense sex shot show side sign sip sit six size skin sleep slow small
soft sore spot stem step stop sun swim table tall tap tar tea ten test thin tie time tin tip
tired toe ton top toy type van via wash weak wear week wet wind wing wolf work worm worn zip
"""
_ENGLISH: Final = _NEVER_MEANT | frozenset(_SHORT_WORDS.split())
"""Short English words, of which some are also symbols of genes or diseases."""


def is_symbol(name: str) -> bool:
    """Whether a name is a symbol or an abbreviation: a few letters, capitals or digits among them."""
    return _SYMBOL.fullmatch(name) is not None


def may_stand_for(surface: str, name: str, type_: str, around: str) -> bool:
    """Whether a stretch of a text that has a name's letters may mean that name.

    A name that is no symbol may be written in any case, unless it is a word that no
    text means anything medical by. A gene's symbol is itself
    only as it is written. Another symbol may be in small letters (copd) unless that
    is an English word (all), and an English word in capitals is a symbol only in a
    text that has small letters too.

    Args:
        surface: the stretch.
        name: as the table of names has it.
        type_: of the entity.
        around: the text just before and after the stretch.
    """
    if not is_symbol(name):
        return surface.lower() not in _NEVER_MEANT
    is_english = surface.lower() in _ENGLISH
    if surface == name:
        return not is_english or any(c.islower() for c in around)
    if type_ == "Gene" or is_english or len(surface) < _SHORTEST:
        return False
    return surface == name.lower()
