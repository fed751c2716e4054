"""Coreference: replaces the pronouns that refer to the subject of a page by its name.

Precision comes before recall: a pronoun is replaced only where the subject of the sentence before
it (or of its own, before "and it") is the main entity, or where no other entity was mentioned
yet. Pleonastic pronouns ("it is important to …", "it may take weeks") are left.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kg.text._word_lists import words
from kg.text.edits import Edit
from kg.text.phrases import blocks, is_chinese
from kg.text.sentences import sentences

_PLEONASTIC: Final = re.compile(
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
_PLEONASTIC_VERB: Final = re.compile(
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
_SENTENCE_ADVERB: Final = re.compile(
    r"(?:(?:however|in\ addition|also|sometimes|usually|often|typically|rarely|generally|in\ general"
    r"|in\ most\ cases|in\ some\ cases|in\ rare\ cases|in\ many\ cases|over\ time|today|fortunately"
    r"|most\ often|less\ often|worldwide|in\ adults|in\ children),?\s+)?",
    re.IGNORECASE | re.VERBOSE,
)
_AND_IT: Final = re.compile(r"(?:,|;)\s+(?:and|but|so|yet)\s+(it)\b", re.IGNORECASE)
_ITS: Final = re.compile(r"its\s+\w", re.IGNORECASE)
_NOUNS: Final = "disease|condition|disorder|illness|syndrome|infection|cancer|tumor|tumour|anemia"
_THIS: Final = re.compile(
    rf"\b(?P<determiner>this|the)\s+(?P<modifier>(?:\w+\s+)?)(?P<noun>{_NOUNS})\b"
    r"(?!\s+(?:of|that|which|called|in which|where|known|is called|is known as|is termed|is said"
    r"|research|markers?|registry|centers?|society|institute|program|journal|specialists?)\b)",
    re.IGNORECASE,
)
_GENERIC_NOUNS: Final = frozenset(("disease", "condition", "disorder", "illness"))
_WORDS_OF_NOUN: Final = {
    "syndrome": ("syndrome",),
    "infection": ("infection", "infections"),
    "cancer": ("cancer", "carcinoma", "lymphoma", "leukemia", "melanoma", "sarcoma"),
    "tumor": ("tumor", "tumors", "carcinoma", "sarcoma", "glioma", "blastoma"),
    "tumour": ("tumour", "tumours"),
    "anemia": ("anemia",),
}
"""What a name must contain so that "this cancer" can mean it."""
_CONDITION: Final = re.compile(
    r"\b(?!disease|diseases|disorder|disorders|syndrome\b|condition)\w*(?:itis|osis|emia|aemia|pathy"
    r"|oma|omas|plegia|algia|rrhea|rrhagia)\b"
    r"|\b\w+\s+(?:diseases?|disorders?|syndromes?|infections?|cancers?|failure|deficiency|conditions?)\b"
    r"|\b(?:diabetes|asthma|cancer|stroke|hypertension|HIV|AIDS|obesity|epilepsy|autism|gout|lupus"
    r"|depression|pregnancy|virus|bacterium|gene|tumou?r)\b",
    re.IGNORECASE,
)
_UNSPECIFIC_WORDS: Final = words(
    "the this a an any no your such same whether these those that certain other some underlying most "
    "rare common serious chronic genetic inherited medical skin different many have has of with and or "
    "each several related both infectious similar about severe mild is"
)
_DEFINES: Final = re.compile(
    r"(?!(?:It|This|They|These|There|That)\b)[A-Z][^.,;:]{2,60}?\s(?:is|are)\s(?:also\s)?(?:an?|one|another|the name)\s[^.]{0,40}?"
    r"(?:condition|disease|disorder|syndrome|illness|infection|cancer|tumor|defect|term|name)\b"
)
_THIS_ZH: Final = re.compile(
    r"(?:该|本|此|这种|这个)(?:疾病|病症|病|症|综合征)(?!人|例|程|因|情|房|史|变|菌|毒|灶|理|原|种|区)"
)
_SUBJECT_THEY: Final = re.compile(
    r"(?:they)\s+(?:are|may|can|usually|often|also|occur|cause|form|affect|happen"
    r"|develop|vary|tend|do|range|most|sometimes|rarely)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Entity:
    """The main entity of a page."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the longest first."""
        return tuple(sorted({self.name, *self.aliases}, key=lambda name: (-len(name), name)))

    @property
    def is_plural(self) -> bool:
        """Whether its name is a plural (gallstones)."""
        last = self.name.split()[-1].lower() if self.name.split() else ""
        return last.endswith("s") and not last.endswith(("ss", "is", "us", "tes", "ies", "cles"))


def pronouns(text: str, entity: Entity, *, about: bool = True) -> list[Edit]:
    """The edits that replace the pronouns of a section that mean the entity.

    Args:
        text: the section.
        entity: the main entity of the page.
        about: where the section begins, a pronoun can mean nothing but the entity.
    """
    if not entity.name.strip():
        return []
    if is_chinese(text):
        return [Edit(*m.span(), entity.name, "this disease") for m in _THIS_ZH.finditer(text)]
    return list(_Resolver(text, entity).edits(about=about))


class _Resolver:
    """Resolves the pronouns of a section, sentence by sentence."""

    def __init__(self, text: str, entity: Entity) -> None:
        self.text = text
        self.entity = entity
        # a blank of a name may be a line end
        names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in entity.names)
        self._name = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
        self._subject = re.compile(
            rf"(?:the|a|an|having|most|all|some|many)?\s*(?:{names})(?:\s*\([^)]*\))?"
            r"(?!\s*(?:,\s*\w+,?\s+and|and|or|symptoms?|patients?|treatments?|medic|risk|is\s+caused\s+by\s+a)\b)"
            r"(?!['\u2019]s|\w)",
            re.IGNORECASE,
        )

    def edits(self, *, about: bool) -> Iterator[Edit]:
        """The edits, in order; a list item does not continue the text before it."""
        for block in blocks(self.text):
            in_focus = about and not block.is_item
            for first, end in sentences(self.text, block.start, block.end):
                edits = sorted(self._in_sentence(first, end, in_focus=in_focus))
                yield from edits
                in_focus = self._has_subject(first, end, edits)
            about = about and not block.is_item and in_focus

    def _in_sentence(self, start: int, end: int, *, in_focus: bool) -> list[Edit]:
        """The edits in a sentence; the entity is in focus as the subject of the one before."""
        edits = list(self._this_disease(start, end, in_focus=in_focus))
        if in_focus:
            edits += self._subject_pronoun(_subject_start(self.text, start, end), end)
        if self._has_subject(start, end, edits):
            conditions = _CONDITION.finditer(self.text, start, end)
            if not any(map(self._is_other, conditions)):
                edits += self._and_it(start, end)
        return edits

    def _has_subject(self, start: int, end: int, edits: Iterable[Edit]) -> bool:
        """Whether the subject of a sentence is the entity, or a pronoun that means it."""
        at = _subject_start(self.text, start, end)
        replaced = any(edit.start == at and not edit.rule.startswith("its") for edit in edits)
        return replaced or self._is_subject(start, end)

    def _subject_pronoun(self, at: int, end: int) -> Iterator[Edit]:
        name = self._name_at(at)
        if self.entity.is_plural:
            if _SUBJECT_THEY.match(self.text, at, end):
                yield Edit(at, at + len("they"), name, "they")
        elif not self._is_pleonastic(at, end):
            if _SUBJECT_IT.match(self.text, at, end):
                yield Edit(at, at + len("it"), name, "it")
            elif _ITS.match(self.text, at, end):
                yield Edit(at, at + len("its"), _possessive(name), "its")

    def _and_it(self, start: int, end: int) -> Iterator[Edit]:
        for match in _AND_IT.finditer(self.text, start, end):
            at = match.start(1)
            is_subject = _SUBJECT_IT.match(self.text, at, end) and not self.entity.is_plural
            if is_subject and not self._is_pleonastic(at, end):
                yield Edit(at, at + len("it"), self._name_at(at), "and it")

    def _is_pleonastic(self, at: int, end: int) -> bool:
        patterns = (_PLEONASTIC, _PLEONASTIC_VERB)
        return any(pattern.match(self.text, at, end) for pattern in patterns)

    def _this_disease(self, start: int, end: int, *, in_focus: bool) -> Iterator[Edit]:
        names = [match.span() for match in self._name.finditer(self.text, start, end)]
        for match in _THIS.finditer(self.text, start, end):
            in_a_name = any(match.start() < last and first < match.end() for first, last in names)
            is_this = match["determiner"].lower() == "this"
            modifier, noun = match["modifier"].strip().lower(), match["noun"].lower()
            if in_a_name or not self._can_be_called(modifier, noun):
                continue
            if self._means_entity(match.start(), start, is_this=is_this, in_focus=in_focus):
                yield self._replacement(match)

    def _can_be_called(self, modifier: str, noun: str) -> bool:
        """Whether "this disease", or "this lung disease", can mean an entity of this name."""
        name = self.entity.name.lower()
        if modifier and modifier not in name.split():
            return False
        if noun in _GENERIC_NOUNS:
            return not self.entity.is_plural
        return any(word in name for word in _WORDS_OF_NOUN[noun])

    def _replacement(self, match: re.Match[str]) -> Edit:
        name, rule = self._name_at(match.start()), f"{match['determiner']} {match['noun']}".lower()
        if self.text[match.end() : match.end() + 2] in ("'s", "\u2019s"):
            return Edit(match.start(), match.end() + 2, _possessive(name), rule)
        return Edit(*match.span(), name, rule)

    def _defines_another(self, start: int, end: int) -> bool:
        """Whether a sentence defines something else: "Lipodystrophy is a condition …"."""
        return bool(_DEFINES.match(self.text, start, end)) and not self._is_subject(start, end)

    def _means_entity(self, at: int, start: int, *, is_this: bool, in_focus: bool) -> bool:
        """Whether no other condition was mentioned in this sentence or the one before."""
        previous = _previous_sentence(self.text, start)
        if self._defines_another(previous, start) or self._defines_another(start, at):
            return False
        before = self.text[start:at] if in_focus and not is_this else self.text[previous:at]
        return not any(self._is_other(match) for match in _CONDITION.finditer(before))

    def _is_other(self, match: re.Match[str]) -> bool:
        """Whether a match of ``_CONDITION`` names another condition than the entity."""
        parts = match[0].lower().split()
        if len(parts) > 1 and parts[0] in _UNSPECIFIC_WORDS:
            return False
        names = " ".join(self.entity.names).lower()
        return match[0].lower() not in names and parts[-1] not in names.split()

    def _is_subject(self, start: int, end: int) -> bool:
        at = _subject_start(self.text, start, end)
        return self._subject.match(self.text, at, end) is not None

    def _name_at(self, at: int) -> str:
        """The name, with a capital letter where the pronoun has one."""
        name = self.entity.name
        return name[:1].upper() + name[1:] if self.text[at].isupper() else name


def _subject_start(text: str, start: int, end: int) -> int:
    """Where a sentence starts, after "However," and the like."""
    opening = _SENTENCE_ADVERB.match(text, start, end)
    return opening.end() if opening else start


def _previous_sentence(text: str, start: int) -> int:
    """Where the sentence before starts, on the same line."""
    line = text.rfind("\n", 0, start) + 1
    last = line
    for first, end in sentences(text, line, start):
        if end <= start:
            last = first
    return last


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
