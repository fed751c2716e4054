"""What a question speaks of, and which intents fit it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, permutations
from typing import Final, NamedTuple

import opencc
from rapidfuzz.distance import OSA

from cypher.translation import title, translate
from kg.linking import Candidate, Linker, Mention
from kg.shipped import shipped_table
from kg.text.canonical import canonical
from kg.text.spelling import is_everyday, is_word, simplified_text, spelling_key
from qa.intent import Intent
from qa.intents import INTENTS, UNSAID
from qa.misspellings import MISSPELT, NO_NAME, nearly_right, put_right, sounds_alike

_ENDING: Final = re.compile(r"[a-z]*", re.IGNORECASE)
_GENERIC_NOUNS: Final = re.compile(
    r"diseases?|disorders?|conditions?|illness(es)?|syndromes?|drugs?|medic(ines?|ations?)|people"
    r"|patients?|foods?|related|relation(ship)?|gene mutations?|genetic changes|疾?病|药物?|食物|基因突变|基因异常",
    re.IGNORECASE,
)
"""Words that say what is sought, and that the graph has as names of things too."""
_EVERYDAY: Final = re.compile(
    r"school|nursery|day nursery|kindergarten|work|running|walking|swimming|kissing|coughing|sneezing|fasting|dieting"
    r"|lying down|blow|fall|falls|cold|heat|fire|war|soil|steam|surgery|vaccination|infection|winter|summer|dogs?|cats?|corn"
    r"|teachers?|cleaners?|farmers?|infants?|males?|females?|glasses|pus|water|hot water|fresh air|home|night|bath|warm bath"
    r"|学校|幼儿园|上班|跑步|步行|走路|游泳|接吻|打喷嚏|手术|感染|接种|接种疫苗|疫苗|冬天|冬季|炎热|寒冷|狗|猫|老师|教师|清洁工|农民"
    r"|水|热水|眼镜|喝水|睡前|洗澡|男性|女性",
    re.IGNORECASE,
)
"""Everyday words, of what diseases come from or are treated by: where a condition or drug is named, it is
what the question is about."""
_CLASS_ASKED_FOR: Final = re.compile(
    r"(?:\b(?:which|what|any)|哪一?[些种类个]|什么|啥)\s*(?:\w+ )?$", re.IGNORECASE
)
"""Before a class of drugs that is asked for."""
_CLASS: Final = re.compile(
    r"antibiotics?|antivirals?|pain ?killers?|pain relievers?|antihistamines?|tablets?|creams?|ointments?|drops|inhalers?"
    r"|supplements?|vitamins?|vaccines?|(抗生|消炎|止痛|退烧|降压|降糖|降脂|抗病毒|感冒|止咳|胃|安眠|抗过敏)[药素]",
    re.IGNORECASE,
)
"""A class of drugs of which a question may ask for one: "which antibiotic", 哪种降压药."""
_KINDS_OF_DISEASE: Final = re.compile(
    r"(遗传|传染|慢性|急性|职业)性?疾?病"
    r"|(genetic|hereditary|inherited|infectious|contagious|chronic|rare) (diseases?|disorders?|conditions?)",
    re.IGNORECASE,
)
"""Of which a disease may be one: where it is named, it is what the question is about."""
_BEFORE_VERB: Final = re.compile(
    r"\b(it|that|this|which|just|always|still|eyes?|skin|mouth|tongue|throat|stomach|chest|feet) $",
    re.IGNORECASE,
)
_BEFORE_NOUN: Final = re.compile(
    r"\b(a|an|the|this|that|my|cold|canker|open|bed|pressure) $", re.IGNORECASE
)
_NEAREST: Final = 3
_NEAR: Final = 0.75
"""Score from which a name is near to what was written."""
_UNEXPLAINED: Final = 0.5
"""Weight of a letter that stands in no name, beside one that does: people tell more than they ask."""
_SHORT: Final = re.compile(r"[A-Z]{2,5}")
"""An abbreviation."""
_TOKEN: Final = re.compile(r"[A-Za-z]+(?:'s)?")
_HAN: Final = re.compile("[\u4e00-\u9fff]{2,}")
_ENDS_OF_DISEASES: Final = ("症", "形成")
_FORMS: Final = (
    "颗粒",
    "胶囊",
    "片",
    "口服液",
    "丸",
    "软膏",
    "乳膏",
    "滴眼液",
    "糖浆",
    "散",
    "水",
)
"""Ends of names of diseases and of drugs that people leave out."""
_LAST_OF_A_DISEASE: Final = "病症"
"""Characters that stand for each other at the end: 亨廷顿舞蹈症 is 亨廷顿舞蹈病."""
_LEAST_OF_A_DRUG: Final = 3
_LONGEST_PART: Final = 7
_SHORTEST_OF_SEVERAL: Final = 3
"""Letters of a word that is one of several in a name."""
_FEW_WORDS: Final = 12
"""Words of a question that may be about one of them: a story has a little girl in it, and not Little disease."""
_SHORTEST: Final = 5
"""Letters of a word that may be misspelt; of shorter ones too many names are near."""
_NEARLY: Final = 0.84
"""Score from which a name is a misspelt one."""
_COMMON_ENDING: Final = re.compile(
    r"(?:'s)? (?:disease|syndrome|disorder|fever|infection|cancer)$"
)
_LAST_WORD: Final = re.compile(
    r"(?:disease|syndrome|disorder|fever|infection|cancer|an(?:a)?emia|palsy|neuropathy|dystrophy)",
    re.IGNORECASE,
)
"""What many names end with, and is the name of a thing, too."""
_CAPITALISED: Final = re.compile(r"\b([A-Z][a-z]+)(?:[-'][A-Za-z]+)* $")
_LETTERS_A_MISTAKE: Final = 5
_NEAR_BY_SPELLING: Final = 0.1
"""What else a misspelt name may be scores at most so much less."""


@dataclass(frozen=True)
class Subject:
    """An entity that a question speaks of."""

    start: int
    """Where in the question as it was read; one place may speak of several entities of that name.
    -1: in the question before."""
    end: int
    id: str
    type: str
    name: str
    score: float = 1.0
    """How like its name the words are, in [0, 1]."""
    denied: bool = False
    """Whether the question says that it is not there."""
    of_people: bool = False
    """Whether it is what is named there as the people of the question have it: congenital rubella."""


class Fit(NamedTuple):
    """An intent whose words a question has, and a way to give it its subjects."""

    intent: Intent
    subjects: dict[str, Subject]
    """By parameter of the intent."""


def find_subjects(question: str, linker: Linker) -> list[Subject]:
    """Everything that goes by the names in a question, in their order."""
    found = [
        Subject(
            mention.start,
            mention.end,
            candidate.id,
            candidate.type,
            candidate.name,
            candidate.score,
            mention.negated,
        )
        for mention in linker.link(question)
        for candidate in _meant(mention, linker)
    ]
    return [each for each in found if not _ends_an_unknown_name(question, each)]


def _ends_an_unknown_name(question: str, subject: Subject) -> bool:
    """Whether a name is but the last word of one that nobody knows: fever, of Dorvane-Usk fever."""
    if not _LAST_WORD.fullmatch(question, subject.start, subject.end):
        return False
    before = _CAPITALISED.search(question, 0, subject.start)
    return before is not None and not is_word(before[1])


def _meant(mention: Mention, linker: Linker) -> list[Candidate]:
    """The candidates that a mention may well mean."""
    candidates = _no_abbreviations(mention.text, mention.candidates)
    if not candidates:
        return []
    if mention.method in ("measurement", "description"):
        found = [c for c in linker.candidates(mention.text) if c.score == 1.0]
        named = _no_abbreviations(mention.text, found)
        if mention.text.islower() and is_word(mention.text):
            named = [c for c in named if c.type != "Gene"]  # who itches means no gene ITCH
        candidates = named or candidates  # "high blood pressure" is a name, too
    best = candidates[0].score
    least = best if best == 1.0 else best - _NEAR_BY_SPELLING
    likely = [candidate for candidate in candidates if candidate.score >= least]
    return _so_called(mention.text, likely, linker)


def _no_abbreviations(text: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Without those of which an everyday word is but an abbreviation: pale skin is no PALE."""
    if not (text.islower() and is_everyday(text)):
        return list(candidates)
    return [
        each
        for each in candidates
        if not each.matched.isupper() and text != "".join(w[0] for w in each.name.lower().split())
    ]


def _so_called(text: str, candidates: list[Candidate], linker: Linker) -> list[Candidate]:
    """Without diseases that have a name as a synonym where another thing is called so.

    Another disease of their ontology: Mondo has "frozen shoulder" for bursitis, too, beside frozen
    shoulder. Or a part of the body that stands not in their name: an arm is no ARMS.
    """
    if len(candidates) < 2:  # noqa: PLR2004 -- nothing to choose from
        return candidates
    key = canonical(text)

    def is_called(each: Candidate) -> bool:
        if key.isascii():
            return key == canonical(each.name)
        return key in (canonical(each.name), canonical(linker.index.chinese_name(each.id) or ""))

    if text.islower() and any(e.type == "Anatomy" and is_called(e) for e in candidates):
        candidates = [
            each
            for each in candidates
            if each.type != "Disease" or key in canonical(each.name).split()
        ]
    called = {
        (each.type, each.id.split(":")[0])
        for each in candidates
        if each.type == "Disease" and not each.id.startswith("MEDKG:") and is_called(each)
    }
    return [
        each
        for each in candidates
        if (each.type, each.id.split(":")[0]) not in called or is_called(each)
    ]


def read_question(question: str, linker: Linker) -> tuple[str, list[Subject]]:
    """A question as the words of the intents are written, and what it speaks of.

    A Traditional one becomes Simplified, character by character; in the mainland's words (OpenCC,
    tw2sp: 愛滋病 is 艾滋病) where more is found by these. Misspelt names are put right.

    Returns:
        The question, and its subjects by their places in it.
    """
    question = put_right(_in_names(question), linker)
    simplified = _in_longer_names(simplified_text(question).replace("甚么", "什么"), linker)
    subjects = find_subjects(simplified, linker)
    if not subjects:
        subjects = [*_by_whole_names(simplified, linker)] or [*_by_a_part(simplified, linker)]
        if not subjects and (nearly := nearly_right(simplified, linker)) != simplified:
            return nearly, find_subjects(nearly, linker)
    places = [(subject.start, subject.end) for subject in subjects]
    heard = sounds_alike(simplified, places, linker)
    if heard != simplified:
        return heard, find_subjects(heard, linker)
    if simplified == question:
        return question, subjects
    mainland = _taiwan_to_mainland().convert(question).replace("甚么", "什么")
    more = find_subjects(mainland, linker) if mainland != simplified else []
    if len({subject.start for subject in more}) > len({subject.start for subject in subjects}):
        return mainland, more
    return simplified, subjects


def _in_longer_names(question: str, linker: Linker) -> str:
    """A Chinese question with 疼 as 痛 where that makes longer names: 偏头疼, not the head alone."""
    if "疼" not in question:
        return question
    other = question.replace("疼", "痛")
    own, theirs = (
        sum(e - s for s, e in {(s.start, s.end) for s in find_subjects(text, linker)})
        for text in (question, other)
    )
    return other if theirs > own else question


def _by_whole_names(question: str, linker: Linker) -> Iterator[Subject]:
    """What goes by two or three words side by side, whatever else does: pinched nerve.

    A name of the same letters is the same, wherever its blanks are: ingrown toenail.
    """
    tokens = list(_TOKEN.finditer(question))
    for size in (3, 2):
        for at in range(len(tokens) - size + 1):
            first, last = tokens[at], tokens[at + size - 1]
            written = question[first.start() : last.end()]
            words = written.split()
            if len(words) != size or min(map(len, words)) < _SHORTEST_OF_SEVERAL:
                continue
            letters = canonical(written).replace(" ", "")
            found = [
                each
                for each in linker.candidates(written, _NEAREST, types=MISSPELT)
                if canonical(each.matched).replace(" ", "") == letters
            ]
            for each in found:
                yield Subject(first.start(), last.end(), each.id, each.type, each.name)
            if found:
                return


def _by_a_part(question: str, linker: Linker) -> Iterator[Subject]:
    """What a Chinese question that asks of medicine calls without the end of its name: 蛲虫, 连花清瘟."""
    if not any(i.words.pattern and i.words.search(question) for i in (*INTENTS, *UNSAID)):
        return
    for run in _HAN.finditer(question):
        for size in range(min(_LONGEST_PART, len(run[0])), 1, -1):
            for start in range(run.start(), run.end() - size + 1):
                written = question[start : start + size]
                if not NO_NAME.isdisjoint(written):
                    continue
                ends = [*_ENDS_OF_DISEASES, *(["病"] if written[-1] == "虫" else [])]
                ends += _FORMS if size >= _LEAST_OF_A_DRUG else ()
                whole = [written + end for end in ends]
                if size > _SHORTEST_OF_SEVERAL and written[-1] in _LAST_OF_A_DISEASE:
                    whole += [written[:-1] + each for each in _LAST_OF_A_DISEASE]
                called = (linker.called(name, MISSPELT) for name in whole)
                if found := next(filter(None, called), []):
                    for each in found:
                        yield Subject(start, start + size, each.id, each.type, each.name)
                    return


def _in_names(question: str) -> str:
    """A question with sayings put as the names that they stand for."""
    for saying, names in _sayings(han=not question.isascii()):
        question = saying.sub(names, question, count=1)
    return question


@cache
def _sayings(*, han: bool) -> list[tuple[re.Pattern[str], str]]:
    """The table of the package, made ready; once with the Chinese ones, and once without."""
    table = shipped_table(__package__, "sayings.yaml")
    whole = {"en": r"\b(?:{})\b"} | ({"zh": "(?:{})"} if han else {})
    return [
        (re.compile(form.format(saying), re.IGNORECASE), names)
        for language, form in whole.items()
        for saying, names in table[language]
    ]


@cache
def _taiwan_to_mainland() -> opencc.OpenCC:
    return opencc.OpenCC("tw2sp")


def named(subjects: Iterable[Subject], linker: Linker) -> str:
    """Their names and ids, for an answer or a message in the language that is spoken."""
    entities = list(subjects)
    names = linker.index.spoken_names(entities)
    each = (translate("{name} ({id})", name=names[s.id], id=s.id) for s in entities)
    return translate(" and ").join(each)


def named_with_types(subjects: Iterable[Subject], linker: Linker) -> str:
    """Their names, types and ids, each once."""
    entities = list(subjects)
    names = linker.index.spoken_names(entities)
    said = "{name} ({type}, {id})"
    each = {
        translate(said, name=names[s.id], type=title("types", s.type), id=s.id) for s in entities
    }
    return translate(", ").join(sorted(each))


def nearest_names(text: str, linker: Linker) -> list[str]:
    """The names and ids that words which name nothing may mean; none where none is near."""
    near = [each for each in linker.candidates(text, _NEAREST) if each.score >= _NEAR]
    known = linker.index.spoken_names(near)
    return [translate("{name} ({id})", name=known[each.id], id=each.id) for each in near]


def with_misspelt(
    question: str, subjects: Sequence[Subject], linker: Linker
) -> tuple[list[Subject], list[tuple[int, int]]]:
    """What a question speaks of, names that only their spelling kept from being found among it.

    A word that stands in no dictionary and in no name of the graph is, alone or with the word
    beside it, the name that is nearly so spelled. If there is none, and a name follows it, the two
    are another name that nobody knows: "zorblax fever" is not fever. Where nothing else is named in a short
    question, a word may stand for the disease of that name: "celiac".

    Returns:
        The subjects by their places, and where the names stand that nobody knows.
    """
    known = linker.index.words
    tokens = list(_TOKEN.finditer(question))
    kept, unknown = list(subjects), list[tuple[int, int]]()
    for at, token in enumerate(tokens):
        inside = any(s.start < token.end() and token.start() < s.end for s in kept)
        if inside or len(token[0]) < _SHORTEST or spelling_key(token[0].lower()) in known:
            continue
        if is_word(token[0]):
            continue
        around = tokens[max(0, at - 1) : at + 2]
        pairs = [(one, other) for one, other in pairwise(around) if _side_by_side(one, other)]
        if found := _nearest_spelling(question, [*pairs, (token, token)], linker):
            start, end = found[0].start, found[0].end
            kept = [s for s in kept if s.end <= start or end <= s.start] + found
        elif after := [s for s in kept if s.start == token.end() + 1]:
            kept = [s for s in kept if s.start != token.end() + 1]
            unknown.append((token.start(), after[0].end))
    if not kept and not unknown and len(tokens) <= _FEW_WORDS:
        kept = [s for token in tokens for s in _shortened(token, linker)]
    return sorted(kept, key=lambda s: s.start), unknown


def _shortened(token: re.Match[str], linker: Linker) -> Iterator[Subject]:
    """The diseases that a word names without "disease": celiac, Parkinson's; not still, little."""
    least = _SHORTEST if token[0][0].isupper() else _SHORTEST + 1
    if len(token[0]) < least or is_everyday(token[0]):
        return
    for each in linker.candidates(f"{token[0]} disease", _NEAREST, types=("Disease",)):
        if each.score == 1.0:
            yield Subject(token.start(), token.end(), each.id, each.type, each.name, each.score)


def _side_by_side(one: re.Match[str], other: re.Match[str]) -> bool:
    return other.start() == one.end() + 1


def _nearest_spelling(
    question: str, spans: Iterable[tuple[re.Match[str], re.Match[str]]], linker: Linker
) -> list[Subject]:
    """The entities whose name is nearest to what stands in one of some places."""
    best: list[Subject] = []
    for first, last in spans:
        written = question[first.start() : last.end()]
        for text in (written, f"{written} disease"):
            near = linker.candidates(text, _NEAREST, types=MISSPELT)
            for each in near:
                if each.score < _NEARLY or (best and each.score < best[0].score):
                    continue
                if not _is_near(written, each.matched):
                    continue
                one = Subject(first.start(), last.end(), each.id, each.type, each.name, each.score)
                best = [one] if not best or each.score > best[0].score else [*best, one]
    return list(dict.fromkeys(best))


def _is_near(written: str, name: str) -> bool:
    """Whether few letters differ beside the words that many names have: "Velmara syndrome"."""
    own, other = (_COMMON_ENDING.sub("", text.lower()) for text in (written, name))
    most = max(1, len(own) // _LETTERS_A_MISTAKE)
    return OSA.distance(own, other, score_cutoff=most) <= most


def share_of_names(question: str, subjects: Iterable[Subject], unexplained: str) -> float:
    """Of the letters of a question's content words the share in names, in [0, 1].

    Args:
        question: as it was read; an abbreviation in it counts as the name that it stands for.
        subjects: what it names.
        unexplained: its other words, those that ask left out; they count half.
    """
    places = {(s.start, s.end): s for s in subjects if s.start >= 0}
    named = 0.0
    for (start, end), subject in places.items():
        short = _SHORT.fullmatch(question, start, end)
        named += subject.score * (max(end - start, len(subject.name)) if short else end - start)
    other = sum(len(word) * _UNEXPLAINED for word in unexplained.split())
    return named / (named + other) if named else 0.0


def fits(question: str, subjects: Sequence[Subject], intents: Iterable[Intent]) -> list[Fit]:
    """The intents that a question may have, the likeliest first.

    Those without words count only where no other fits; where one warns, only such do.
    """
    fitting = [
        Fit(intent, assignment)
        for intent in intents
        if intent.words.search(question)
        for assignment in _assignments(intent, subjects)
    ]
    with_words = [fit for fit in fitting if fit.intent.words.pattern] or fitting
    return [fit for fit in with_words if fit.intent.warns] or with_words


def without_relation_words(
    question: str, subjects: list[Subject], intents: Iterable[Intent]
) -> list[Subject]:
    """Leave out what is named by but the word that asks ("treatment", "symptoms", "disease")."""
    words = [intent.words for intent in intents if intent.words.pattern]
    subjects = [s for s in subjects if not _is_no_noun(question, s)]
    about = [s for s in subjects if s.type in ("Disease", "Symptom", "Drug")]
    if about:
        subjects = [
            s for s in subjects if s in about or not _EVERYDAY.fullmatch(question, s.start, s.end)
        ]
    others = [s for s in subjects if not _KINDS_OF_DISEASE.fullmatch(question, s.start, s.end)]
    return [
        subject
        for subject in others or subjects
        if not _GENERIC_NOUNS.fullmatch(question, subject.start, subject.end)
        and not any(
            (found := asks.match(question, subject.start))
            and found.end() <= subject.end
            and _ENDING.fullmatch(question, found.end(), subject.end)
            for asks in words
        )
    ]


def _is_no_noun(question: str, subject: Subject) -> bool:
    """Whether the name of a thing is another part of speech here: "it burns", "red and sore"."""
    written = question[subject.start : subject.end].lower()
    if written in ("burn", "burns", "burning"):
        return _BEFORE_VERB.search(question, 0, subject.start) is not None
    if _CLASS.fullmatch(written) and _CLASS_ASKED_FOR.search(question, 0, subject.start):
        return True
    if written in ("worry", "worried"):
        return question[subject.end :].lower().startswith(" about")
    return written == "sore" and _BEFORE_NOUN.search(question, 0, subject.start) is None


def _assignments(intent: Intent, subjects: Sequence[Subject]) -> Iterator[dict[str, Subject]]:
    """Every way to give each parameter of a query a subject of its own, preferred types first."""
    types = list(intent.subjects.values())
    orders = [
        order
        for order in permutations(subjects, len(types))
        if len({m.id for m in order}) == len({m.start for m in order}) == len(order)
        and all(m.type in allowed for m, allowed in zip(order, types, strict=True))
    ]
    orders.sort(key=lambda order: [t.index(m.type) for m, t in zip(order, types, strict=True)])
    for order in orders:
        yield dict(zip(intent.subjects, order, strict=True))
