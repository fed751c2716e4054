"""Pronouns that stand for what a page is about, replaced by its name.

Precise before complete: a pronoun is replaced only where the sentence before it (or
its own, before "and it") has the main entity for its subject, or nothing else was
spoken of yet. "It is important to …", "it may take weeks" and the like speak of nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kg.text._word_lists import words
from kg.text.edits import Edit
from kg.text.phrases import blocks, is_chinese
from kg.text.sentences import sentences

_EMPTY: Final = re.compile(
    r"""it(?:'s|\u2019s|\s+(?:is|was|may\ be|might\ be|can\ be|could\ be|will\ be|would\ be|has\ been
    |becomes|seems|appears|remains)?)?
    (?:\s+(?:also|not|still|now|often|usually|sometimes|generally|typically|currently|very|quite|more
    |most|highly|extremely|not\ always|n't|always|even|therefore|particularly|especially|only|best
    |too|much|less|far|well))*
    \s+(?:
      important|essential|necessary|possible|impossible|best|better|helpful|useful|likely|unlikely
      |clear|unclear|hard|easy|easier|difficult|vital|critical|crucial|common\ (?:to|for|that)
      |rare\ (?:to|for|that)|unusual\ (?:to|for)|normal\ (?:to|for|that)|wise|safe\ to|okay|ok|good
      |known\ (?:that|whether|how|why|if|what)|estimated|thought\ that|believed\ that|recommended
      |suspected\ that|unknown\ (?:if|why|whether|how|what)|uncertain|reported\ that|advisable
      |sometimes\ called|time\ to|worth|up\ to|not\ known|fair|true|safe|possible
      |recommended|advised|suggested|assumed\ that|hoped|estimated|understood|known\ exactly
      |appropriate|desirable|beneficial|tempting|reasonable|natural|interesting|fully|enough|day|night
      |that|as\ if|as\ though|to\ be
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY_VERB: Final = re.compile(
    r"it\s+(?:(?:may|might|can|could|will|would|also|often|usually|sometimes|generally|does|do|not"
    r"|doesn't|is|was|still|only)\s+)*"
    r"(?:takes?|took|took|helps?|hurts?|depends?|matters?|makes?\s+sense|seems?|appears?|turns?\s+out"
    r"|follows\s+that|sounds?|looks?\s+(?:like|as)|feels?|works?|rains?|thought|because|why|when|how)\b",
    re.IGNORECASE,
)
_SUBJECT_IT: Final = re.compile(
    r"it\s+(?:(?:also|often|usually|typically|sometimes|generally|most|mostly|mainly|rarely|commonly"
    r"|occasionally|frequently|then|even|always|almost|only)\s+)*(?:is|was|may|can|could|might|will"
    r"|has|affects?|causes?|occurs?|happens?|develops?|begins?|starts?|results?|leads?|tends?|runs?"
    r"|spreads?|usually|often|does|involves?|comes?|gets?|can't|cannot|differs?|ranges?|varies"
    r"|belongs?|refers?|accounts?|strikes?|progresses|worsens?|lasts?|appears?|damages?|attacks?"
    r"|increases?|includes?|becomes?|interferes?|makes?|prevents?|produces?|ranks?|kills?)\b",
    re.IGNORECASE,
)
_START: Final = re.compile(
    r"(?:(?:however|in\ addition|also|sometimes|usually|often|typically|rarely|generally|in\ general"
    r"|in\ most\ cases|in\ some\ cases|in\ rare\ cases|in\ many\ cases|over\ time|today|fortunately"
    r"|most\ often|less\ often|worldwide|in\ adults|in\ children),?\s+)?",
    re.IGNORECASE | re.VERBOSE,
)
_AND_IT: Final = re.compile(r"(?:,|;)\s+(?:and|but|so|yet)\s+(it)\b", re.IGNORECASE)
_ITS: Final = re.compile(r"its\s+\w", re.IGNORECASE)
_NOUNS: Final = "disease|condition|disorder|illness|syndrome|infection|cancer|tumor|tumour|anemia"
_THIS: Final = re.compile(
    rf"\b(this|the)\s+((?:\w+\s+)?)({_NOUNS})\b"
    r"(?!\s+(?:of|that|which|called|in which|where|known|is called|is known as|is termed|is said"
    r"|research|markers?|registry|centers?|society|institute|program|journal|specialists?)\b)",
    re.IGNORECASE,
)
_SAID_OF_ALL: Final = frozenset(("disease", "condition", "disorder", "illness"))
_KINDS: Final = {
    "syndrome": ("syndrome",),
    "infection": ("infection", "infections"),
    "cancer": ("cancer", "carcinoma", "lymphoma", "leukemia", "melanoma", "sarcoma"),
    "tumor": ("tumor", "tumors", "carcinoma", "sarcoma", "glioma", "blastoma"),
    "tumour": ("tumour", "tumours"),
    "anemia": ("anemia",),
}
"""What a name must have in it so that "this cancer" can be it."""
_OTHER: Final = re.compile(
    r"\b(?!disease|diseases|disorder|disorders|syndrome\b|condition)\w*(?:itis|osis|emia|aemia|pathy"
    r"|oma|omas|plegia|algia|rrhea|rrhagia)\b"
    r"|\b\w+\s+(?:diseases?|disorders?|syndromes?|infections?|cancers?|failure|deficiency|conditions?)\b"
    r"|\b(?:diabetes|asthma|cancer|stroke|hypertension|HIV|AIDS|obesity|epilepsy|autism|gout|lupus"
    r"|depression|pregnancy|virus|bacterium|gene|tumou?r)\b",
    re.IGNORECASE,
)
_GENERAL: Final = words(
    "the this a an any no your such same whether these those that certain other some underlying most "
    "rare common serious chronic genetic inherited medical skin different many have has of with and or "
    "each several related both infectious similar about severe mild is"
)
_DEFINES: Final = re.compile(
    r"(?!(?:It|This|They|These|There|That)\b)[A-Z][^.,;:]{2,60}?\s(?:is|are)\s(?:also\s)?(?:an?|one|another|the name)\s[^.]{0,40}?"
    r"(?:condition|disease|disorder|syndrome|illness|infection|cancer|tumor|defect|term|name)\b"
)
_HAN: Final = re.compile(
    r"(?:该|本|此|这种|这个)(?:疾病|病症|病|症|综合征)(?!人|例|程|因|情|房|史|变|菌|毒|灶|理|原|种|区)"
)
_PLURAL: Final = re.compile(
    r"(?:they)\s+(?:are|may|can|usually|often|also|occur|cause|form|affect|happen"
    r"|develop|vary|tend|do|range|most|sometimes|rarely)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Entity:
    """What a page is about."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the longest first."""
        return tuple(sorted({self.name, *self.aliases}, key=lambda name: (-len(name), name)))

    @property
    def is_plural(self) -> bool:
        """Whether its name is one of several things (gallstones)."""
        last = self.name.split()[-1].lower() if self.name.split() else ""
        return last.endswith("s") and not last.endswith(("ss", "is", "us", "tes", "ies", "cles"))


def pronouns(text: str, entity: Entity, *, about: bool = True) -> list[Edit]:
    """The pronouns of a section that stand for the entity, as edits.

    Args:
        text: the section.
        entity: what the page is about.
        about: nothing but the entity can be meant where the section begins.
    """
    if not entity.name.strip():
        return []
    if is_chinese(text):
        return [Edit(*m.span(), entity.name, "this disease") for m in _HAN.finditer(text)]
    reader = _Reader(text, entity)
    return list(reader.edits(about=about))


class _Reader:
    """Reads a section sentence by sentence, and knows what the last one was about."""

    def __init__(self, text: str, entity: Entity) -> None:
        self.text = text
        self.entity = entity
        self._name = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(_loose, entity.names))})(?!\w)", re.IGNORECASE
        )
        names = "|".join(map(_loose, entity.names))
        self._subject = re.compile(
            rf"(?:the|a|an|having|most|all|some|many)?\s*(?:{names})(?:\s*\([^)]*\))?"
            r"(?!\s*(?:,\s*\w+,?\s+and|and|or|symptoms?|patients?|treatments?|medic|risk|is\s+caused\s+by\s+a)\b)"
            r"(?!['\u2019]s|\w)",
            re.IGNORECASE,
        )

    def edits(self, *, about: bool) -> Iterator[Edit]:
        """Go through the lines; an item has its own subject."""
        for block in blocks(self.text):
            spoken_of = about and not block.is_item
            for first, end in sentences(self.text, block.start, block.end):
                found = sorted(self._of_sentence(first, end, spoken_of=spoken_of))
                yield from found
                spoken_of = self._has_subject(first, end, found)
            about = about and not block.is_item and spoken_of

    def _of_sentence(self, start: int, end: int, *, spoken_of: bool) -> Iterator[Edit]:
        found = list(self._this_disease(start, end, spoken_of=spoken_of))
        if spoken_of:
            found += self._subject_pronoun(_start_of(self.text, start, end), end)
        if self._has_subject(start, end, found) and self._is_alone(start, end):
            found += self._and_it(start, end)
        yield from found

    def _has_subject(self, start: int, end: int, found: Iterable[Edit]) -> bool:
        """Whether a sentence begins with the entity, or with what stands for it."""
        at = _start_of(self.text, start, end)
        stands = any(edit.start == at and not edit.rule.startswith("its") for edit in found)
        return stands or self._is_subject(start, end)

    def _subject_pronoun(self, at: int, end: int) -> Iterator[Edit]:
        name = self._written(at)
        if self.entity.is_plural:
            if _PLURAL.match(self.text, at, end):
                yield Edit(at, at + len("they"), name, "they")
        elif not self._says_nothing(at, end):
            if _SUBJECT_IT.match(self.text, at, end):
                yield Edit(at, at + len("it"), name, "it")
            elif _ITS.match(self.text, at, end):
                yield Edit(at, at + len("its"), _possessive(name), "its")

    def _and_it(self, start: int, end: int) -> Iterator[Edit]:
        for match in _AND_IT.finditer(self.text, start, end):
            at = match.start(1)
            is_subject = _SUBJECT_IT.match(self.text, at, end) and not self.entity.is_plural
            if is_subject and not self._says_nothing(at, end):
                yield Edit(at, at + len("it"), self._written(at), "and it")

    def _says_nothing(self, at: int, end: int) -> bool:
        empty = _EMPTY.match(self.text, at, end) or _EMPTY_VERB.match(self.text, at, end)
        return empty is not None

    def _this_disease(self, start: int, end: int, *, spoken_of: bool) -> Iterator[Edit]:
        own = [match.span() for match in self._name.finditer(self.text, start, end)]
        for match in _THIS.finditer(self.text, start, end):
            in_a_name = any(match.start() < last and first < match.end() for first, last in own)
            is_this = match[1].lower() == "this"
            if in_a_name or not self._can_be_called(match[2].strip().lower(), match[3].lower()):
                continue
            if self._is_meant(match.start(), start, is_this=is_this, spoken_of=spoken_of):
                yield self._replaced(match)

    def _can_be_called(self, kind: str, noun: str) -> bool:
        """Whether the entity may be "this disease", or "this lung disease" by its name."""
        name = self.entity.name.lower()
        if kind and kind not in name.split():
            return False
        if noun in _SAID_OF_ALL:
            return not self.entity.is_plural
        return any(word in name for word in _KINDS[noun])

    def _replaced(self, match: re.Match[str]) -> Edit:
        name, rule = self._written(match.start()), f"{match[1]} {match[3]}".lower()
        if self.text[match.end() : match.end() + 2] in ("'s", "\u2019s"):
            return Edit(match.start(), match.end() + 2, _possessive(name), rule)
        return Edit(*match.span(), name, rule)

    def _defines_another(self, start: int, end: int) -> bool:
        """Whether a sentence says what something else is: "Lipodystrophy is a condition …"."""
        return bool(_DEFINES.match(self.text, start, end)) and not self._is_subject(start, end)

    def _is_meant(self, at: int, start: int, *, is_this: bool, spoken_of: bool) -> bool:
        """Whether no other condition was spoken of in this sentence or the one before."""
        previous = _back(self.text, start)
        if self._defines_another(previous, start) or self._defines_another(start, at):
            return False
        before = self.text[start:at] if spoken_of and not is_this else self.text[previous:at]
        return not any(self._is_other(match) for match in _OTHER.finditer(before))

    def _is_other(self, match: re.Match[str]) -> bool:
        said = match[0].lower().split()
        if len(said) > 1 and said[0] in _GENERAL:
            return False
        names = " ".join(self.entity.names).lower()
        return match[0].lower() not in names and said[-1] not in names.split()

    def _is_subject(self, start: int, end: int) -> bool:
        at = _start_of(self.text, start, end)
        return self._subject.match(self.text, at, end) is not None

    def _is_alone(self, start: int, end: int) -> bool:
        """Whether no other condition stands in the sentence."""
        others = [m for m in _OTHER.finditer(self.text, start, end) if self._is_other(m)]
        return not others

    def _written(self, at: int) -> str:
        """The name as the page writes it, with a capital where the pronoun has one."""
        name = self.entity.name
        return name[:1].upper() + name[1:] if self.text[at].isupper() else name


def _loose(name: str) -> str:
    """A name as a pattern in which white space may be a line's end."""
    return r"\s+".join(map(re.escape, name.split()))


def _start_of(text: str, start: int, end: int) -> int:
    """Where a sentence starts after "However," and the like."""
    opening = _START.match(text, start, end)
    return opening.end() if opening else start


def _back(text: str, start: int) -> int:
    """Where the sentence before starts, on the same line."""
    line = text.rfind("\n", 0, start) + 1
    last = line
    for first, end in sentences(text, line, start):
        if end <= start:
            last = first
    return last


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
