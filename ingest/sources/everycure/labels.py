"""Which drug a label is of, and what its section of contraindications forbids besides diseases."""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel

from ingest.sources.formats.drug_names import Drug, DrugNames

_SUBJECT: Final = re.compile(
    r"(?:^|(?<=[.;•] ))(?:the use of |use of )?([a-z][^.;:•]{2,80}?) (?:is|are) (?:also )?contraindicated",
    re.IGNORECASE,
)
SEVERAL: Final = re.compile(r",|/|\band\b|\bwith\b", re.IGNORECASE)
"""What has it names several drugs."""
_STEM: Final = 5
"""So many letters at the beginning of a word make a drug and its active form (enalaprilat) akin."""


def label_drug(names: DrugNames, ingredient: str, drug: str, label: str) -> Drug | None:
    """The drug of the list that a label is of; None if it cannot be found, or there are several.

    What the list of labels calls the active ingredient may be a part or a product of the drug
    (potassium cation, enalaprilat); the label says what is given (potassium citrate, enalapril). A few
    labels stand beside another drug altogether: these begin with their own.

    Args:
        names: the drugs that are known.
        ingredient: the list's word for what is active, without punctuation.
        drug: what the list calls the drug.
        label: the section of contraindications.
    """
    text = " ".join(label.split())
    of_ingredient = {each for _, _, each in names.found(ingredient)}
    first_subject = _subject(names, _SUBJECT.match(text))
    if first_subject and first_subject not in of_ingredient | {
        each for _, _, each in names.found(drug)
    }:
        return first_subject
    listed = names.named(ingredient)
    if len(of_ingredient) > 1 or (listed is None and SEVERAL.search(drug)):
        return None
    subject = _subject(names, _SUBJECT.search(text))
    return subject if subject and _akin(ingredient, subject.name) else listed


def _subject(names: DrugNames, match: re.Match[str] | None) -> Drug | None:
    if match is None or SEVERAL.search(match[1]) or _TOGETHER.search(match[1]):
        return None
    subjects = {each for _, _, each in names.found(match[1].split(" in ")[0])}
    return subjects.pop() if len(subjects) == 1 else None


def _akin(ingredient: str, subject: str) -> bool:
    stems = {word[:_STEM].lower() for word in ingredient.split() if len(word) >= _STEM}
    return any(word[:_STEM].lower() in stems for word in re.findall(r"[A-Za-z]+", subject))


class Named(BaseModel, frozen=True, extra="forbid"):
    """An entity that labels write in several ways."""

    en: str
    zh: str
    written: str
    """A regular expression, in small letters."""


class Words(BaseModel, frozen=True, extra="forbid"):
    """Entities that are searched for besides the drugs of the list."""

    allergens: tuple[Named, ...]
    people: tuple[Named, ...]
    drug_classes: tuple[Named, ...]


class LabelOf(NamedTuple):
    """What a label is of."""

    drugs: frozenset[Drug]
    """Of the list; several for a combination, none for a drug that is not in it."""
    name: str | None
    """What it is called where ``drugs`` is empty; None for a combination."""
    single: bool
    """``drugs`` is one, and nothing else is in it."""

    def names_drug(self, text: str) -> bool:
        """Whether a text has its name."""
        return self.name is not None and self.name.lower() in text.lower()


class Forbidden(NamedTuple):
    """What a label forbids a drug with."""

    type: Literal["Symptom", "Population", "Drug"]
    id: str | None
    name: str
    name_zh: str
    """Empty where none is known."""
    quote: str
    """The part of the label that says so."""
    ingredient: Drug | None = None
    """The drug that an allergy is to."""


_REFERENCE: Final = re.compile(
    r"\[ ?(?i:see|refer)\b[^\]]{0,300}\]|\( ?(?i:see|refer|alone or)\b[^)]{0,300}\)"
)
_NUMBERED: Final = re.compile(r"\( ?\d+(?:\.\d+)?(?: ?[,-] ?\d+(?:\.\d+)?)* ?\)(?! ?[.;:•])")
"""Chapters of the label that an item of a list points to; the item ends there."""
_PART: Final = re.compile(
    r".+?(?:(?<!e\.g)(?<!i\.e)(?<!vs)(?<!\bNo)(?<!taking)(?<!receiving)"
    r"(?<!given with)(?<!used with)(?<!administered with)(?<!contraindicated with)[.;:•](?=\s|$)|$)"
)
_FORBIDS: Final = re.compile(
    r"contra-?indicat|should (?:also )?not|must not|\bdo not\b|\bnever\b"
    r"|\bnot (?:to )?be (?:used|given|administered|prescribed)",
    re.IGNORECASE,
)
_AROUND: Final = 60
"""Characters before or after some words that may change what they say."""
_REACH: Final = 600
"""So many characters after some words are looked at: a list of drugs may be long."""
_QUOTE: Final = 240
"""So many characters at most are quoted."""
_ITEM: Final = 12
"""An item of a list has at most so many words."""

_ALLERGY: Final = re.compile(
    r"\b(?:hyper-?sensitiv\w*|(?:allerg(?:y|ies|ic)|sensitiv(?:e|ity|ities)|intolerance|anaphyla\w+"
    r"|idiosyncra\w+)\b(?=[^.;:•]{0,60}?\b(?:to|after|with|from)\b))",
    re.IGNORECASE,
)
_NO_ALLERGY: Final = re.compile(
    r"\bcross|caution|not known|unknown|reported|monitor|\bif\b|occurs?\b|may have|consider|allergenic"
    r"|test(?:s|ing)?\b|desensiti|cause allergic|not contra",
    re.IGNORECASE,
)
_THE_PRODUCT: Final = re.compile(
    r"\b(?:this|the|any|its|these|either|an?|one|all|other)\b[^,]{0,40}?\b(?:drugs?|products?"
    r"|medications?|medicines?|preparations?|components?|ingredients?|constituents?|excipients?|articles"
    r"|formulations?|compounds?|substances?)\b|\bto it\b",
    re.IGNORECASE,
)
_ANY_PART: Final = re.compile(
    r"\b(?:an?|any|its|either|one|these)\b[^,]{0,30}?\b(?:components?|ingredients?|constituents?|articles)\b",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(r"\bany (?:of the )?other\b|\bthis product\b", re.IGNORECASE)
_TRADE: Final = re.compile(r"\b[A-Z]{4,}\b")
_AFTER_ALLERGY: Final = re.compile(
    r"\b(?:receiving|taking|patients|who|when|during|concomitant\w*|because|since|due to|should|may"
    r"|contraindicated|in the|recent|use of|history of (?!hyper|aller))\b",
    re.IGNORECASE,
)
_ALLERGEN_WITHIN: Final = 120
"""Characters after the word for an allergy within which another allergen is named."""

_PEOPLE_IF: Final = re.compile(
    r"ectopic|cholesta|\bof pregnan|tox[ae]mia|jaundice|unless|\bif\b|\bonly\b|advise|apprise"
    r"|tests?\b|prevent|partner|\bplan|terminat|potential|contracept|post-?partum|(?:may|can) cause"
    r"|\bprior\b|previous|history|outweigh|intrauterine|prolonged|third|trimester|weeks?\b|without"
    r"|non-?pregnan|not pregnan|hyperbilirubin|pregnanc(?:y|ies) (?:loss|rate)|not contra|during (?:labor"
    r"|delivery)|treat(?:ment of|ing)|prophylaxis|contemplat|no indication|stud(?:y|ies)|excret|inhibit"
    r"|reactions? in|effects? (?:in|on|of)|particular|reports?\b|other than|risk|at term|in excess"
    r"|doses?\b|salpingogra",
    re.IGNORECASE,
)
_PEOPLE_NEVER: Final = re.compile(
    r"\bexcept|salpingogra|in excess|no indication|multi-?(?:ple)?[- ]?dose|benzyl|used for|use for|treatment of",
    re.IGNORECASE,
)
"""In a sentence, or above a list, that forbids a drug to people in one use or form of it only."""
_PEOPLE_WHO: Final = re.compile(
    r"^(?:\W*(?:women|patients|infants)\b)?\W*(?:with|in whom|whose|it)\b|^\W*:", re.IGNORECASE
)
_AGE: Final = re.compile(
    r"\b(?P<who>p(?:a)?ediatric patients|children|infants|adolescents|patients|individuals)\b"
    r"[^.;:•]{0,25}?(?:less than|under|younger than|below|<|&lt;) ?(?:the age of )?"
    r"(?P<n>\d+|two|six|twelve|eighteen) ?(?P<unit>years?|months?)",
    re.IGNORECASE,
)
_AGE_IF: Final = re.compile(
    r"tonsil|adenoid|post-?operative|\bwith\b|\bwho\b|undergo|fever|viral|receiving|unless|except"
    r"|\bfor\b|following|\bkg\b|weigh",
    re.IGNORECASE,
)
_NUMBERS: Final = {"two": "2", "six": "6", "twelve": "12", "eighteen": "18"}

_TOGETHER: Final = re.compile(
    r"\b(?:concomitant(?:ly)?|concurrent(?:ly)?|simultaneous(?:ly)?|co-?administ\w+"
    r"|(?<!alone or in )combin(?:ed|ation)|together|in conjunction|contraindicated with|receiving|taking"
    r"|treated with|treatment with|therapy with|administration of|use of|(?:used|given|administered"
    r"|initiated) with|us(?:e|ing) with)\b",
    re.IGNORECASE,
)
_THEIRS: Final = re.compile(
    r"(?:should not be (?:used|taken|given)|(?:is|are) contraindicated)"
    r" (?:in patients (?:on|taking|receiving|treated with)|with)\b",
    re.IGNORECASE,
)
_NOT_TOGETHER: Final = re.compile(
    r"hyper-?sens|allerg|sensitiv|refer to|information|diabet|renal|hepatic|kidney|liver|impair|unless"
    r"|except|caution|not contra|pediatric|children|doses?\b|\bmg\b|recommended|avoid|history"
    r"|trial|component|monotherapy|(?<!contra)(?<!contra-)indicated (?:for|in)|label|without|\bif\b|following drugs|apply|also apply"
    r"|co-?administered with|drug class|\bprior\b|developed|clearance|\bml/min|\bonly\b|\bwhen\b",
    re.IGNORECASE,
)
_AFTER_TOGETHER: Final = re.compile(
    r"\b(?:because|due to|since|may|can|could|has|have|had|been|were|was|result\w*|increas\w+|lead\w*"
    r"|caus\w+|which|at least|in patients|in subjects|who|that|whose|whom|before|after|for the)\b",
    re.IGNORECASE,
)

_IN_SOME: Final = re.compile(
    r"\bin (?:\w+ )?(?:patients|subjects|adults|individuals) with\b|\bdoses? of \d|\bin (?:wo)?men\b",
    re.IGNORECASE,
)


class LabelReader:
    """Reads what labels forbid drugs with."""

    def __init__(self, names: DrugNames, words: Words) -> None:
        """Finds the drugs of a list, and other things as they are written."""
        self._names = names
        self._words = {
            kind: tuple(
                (each, re.compile(rf"\b(?:{each.written})(?!\w)", re.IGNORECASE))
                for each in getattr(words, kind)
            )
            for kind in Words.model_fields
        }

    def forbidden(self, label_of: LabelOf, label: str) -> Iterator[Forbidden]:
        """Everything that a label's section of contraindications forbids, in order, with repetitions."""
        text = _REFERENCE.sub(" ", _NUMBERED.sub(" ; ", " ".join(label.split())))
        heading = ""
        for match in _PART.finditer(text):
            part = " ".join(match[0].split())
            yield from self._allergies(label_of, part)
            if _FORBIDS.search(part) or len(part.split()) <= _ITEM:
                if not _PEOPLE_NEVER.search(heading + part):
                    yield from self._people(part)
                yield from self._drugs(label_of, part)
            if part.endswith(":"):
                heading = part

    def _allergies(self, label_of: LabelOf, part: str) -> Iterator[Forbidden]:
        for cue in _ALLERGY.finditer(part):
            allergens = _AFTER_ALLERGY.split(part[cue.end() :][:_REACH], maxsplit=1)[0]
            if _NO_ALLERGY.search(
                part[max(0, cue.start() - _AROUND) : cue.end() + len(allergens) + 30]
            ):
                continue
            quote = _quoted(part, cue.start())
            near = allergens[:_ALLERGEN_WITHIN]
            drugs = {each for _, _, each in self._names.found(near)}
            for each in sorted(drugs, key=_name):
                yield _allergy(each.name.lower(), each.name_zh, quote, each)
            bare = not allergens.strip(" ,().;:•") and cue[0].lower().startswith("hyper")
            unnamed = (
                _THE_PRODUCT.search(allergens)
                or _TRADE.search(allergens)
                or label_of.names_drug(allergens)
            )
            if unnamed or bare:
                names_whole_drug = label_of.single or (
                    _ANY_PART.search(allergens)
                    and (_OTHERS.search(allergens) or not drugs & label_of.drugs)
                )
                for each in sorted(label_of.drugs - drugs, key=_name) if names_whole_drug else ():
                    yield _allergy(each.name.lower(), each.name_zh, quote, each)
                if label_of.name and not label_of.drugs:
                    yield _allergy(label_of.name.lower(), "", quote)
            for named, written in self._words["allergens"]:
                if written.search(near):
                    yield _allergy(named.en, named.zh, quote)

    def _people(self, part: str) -> Iterator[Forbidden]:
        for each, written in self._words["people"]:
            matches = [match for match in written.finditer(part) if _are_excluded(part, match)]
            if matches:
                quote = _quoted(part, matches[0].start())
                yield Forbidden("Population", None, each.en, each.zh, quote)
        for match in _AGE.finditer(part):
            if _AGE_IF.search(part[match.end() : match.end() + 30]):
                continue
            count = _NUMBERS.get(match["n"].lower(), match["n"])
            if match["unit"].lower().startswith("year"):
                en, zh = f"Children younger than {count} years", f"{count}岁以下儿童"
            else:
                en, zh = f"Infants younger than {count} months", f"{count}个月以下婴儿"
            yield Forbidden("Population", None, en, zh, _quoted(part, match.start()))

    def _drugs(self, label_of: LabelOf, part: str) -> Iterator[Forbidden]:
        stretches = [
            (
                cue.start(),
                part[max(0, cue.start() - _AROUND) : cue.end()],
                part[cue.end() :][:_REACH],
            )
            for cue in _TOGETHER.finditer(part)
        ]
        stretches += [
            (0, "", part[: cue.start()][-_REACH:].rpartition("such as")[2])
            for cue in _THEIRS.finditer(part)
            if label_of.names_drug(after := part[cue.end() :][:_REACH])
            or label_of.drugs & {each for _, _, each in self._names.found(after)}
        ]
        for at, before, after in stretches:
            others = _AFTER_TOGETHER.split(after, maxsplit=1)[0]
            if _NOT_TOGETHER.search(before + others) or _IN_SOME.search(
                after[: len(others) + _AROUND]
            ):
                continue
            quote = _quoted(part, at)
            for named, written in self._words["drug_classes"]:
                if written.search(others):
                    yield Forbidden("Drug", None, named.en, named.zh, quote)
            for start, end, drug in self._names.found(others):
                if drug not in label_of.drugs and "/" not in (
                    others[start - 1 : start],
                    others[end : end + 1],
                ):
                    yield Forbidden("Drug", drug.id, drug.name, drug.name_zh, quote)


def _are_excluded(part: str, match: re.Match[str]) -> bool:
    """Whether the drug is forbidden to these people, and to all of them."""
    around = part[max(0, match.start() - _AROUND) : match.end() + _AROUND]
    return not (_PEOPLE_IF.search(around) or _PEOPLE_WHO.search(part[match.end() :][:_AROUND]))


def _allergy(to: str, to_zh: str, quote: str, ingredient: Drug | None = None) -> Forbidden:
    zh = f"对{to_zh}过敏" if to_zh else ""
    return Forbidden("Symptom", None, f"Hypersensitivity to {to}", zh, quote, ingredient)


def _quoted(part: str, at: int) -> str:
    start = 0 if len(part) <= _QUOTE else max(0, min(at - _AROUND, len(part) - _QUOTE))
    return part[start : start + _QUOTE]


def _name(drug: Drug) -> str:
    return drug.name
