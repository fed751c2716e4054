"""Finds questions that need help before an answer: an emergency of a person who is there, now.

``emergencies.yaml`` has the signs, each with the public guidance that it follows. A sign counts
where the question speaks of the one who asks or of somebody present ("my father", 我爸爸), is not
denied, not of long ago, and not just the object of a question for knowledge ("what causes chest
pain", 胸痛是什么原因). Where it is open which of these is so, help comes first. Who names no sign and tells
what happens is read by stories (``qa.stories``). A finding that is known by its id (HPO) is an emergency in
every language or in none.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final, Literal, NamedTuple

from cypher.translation import translate
from kg.shipped import shipped_table
from kg.text.context import contexts
from kg.text.spelling import simplified_text
from qa.stories import story_of

Help = Literal["ambulance", "poison", "crisis"]
"""What kind of help comes first."""

_LONGEST: Final = 5_000
"""Characters of a text that are read."""
_MOST: Final = 8
"""Places of one sign that are looked at."""
_REACH: Final = 160
_REACH_ZH: Final = 60
"""Characters between signs that are grave together; what is said in a long story further apart goes
not together."""

_HERE: Final = re.compile(
    r"\b(i|i'[dm]|i'?ve|im|my|mine|me|myself|we|we're|we've|our|us|he|he's|she|she's|his|her|him"
    r"|they|they're|their)\b"
    r"|\b(someone|somebody|husband|wife|mom|mum|dad|mother|father|son|daughter|grandm\w+|grandf\w+"
    r"|grandpa|boyfriend|girlfriend|brother|sister|friend|baby|toddler|newborn"
    r"|(this|that|the|a|an) ([a-z]+ )?(man|woman|guy|person|stranger|lady|kid|child|boy|girl|infant"
    r"|patient|student|driver|passenger))\b"
    r"(?=( [a-z]+)?( is| has|'s| isn| can| won| just| was| took| swallowed| drank| ate| stopped"
    r"| collapsed| fainted| passed| keeps| looks| needs| having| not\b))"
)
"""Who asks, or somebody who is there."""
_NOT_HERE: Final = re.compile(
    r"\b(tell|give|show|teach|send|explain to|let|help) (me|us) (about|what|how|why|more|a list"
    r"|some|understand|the|learn|with information)\b|\bcan (i|we|you) (find|get|read|learn|know)\b"
    r"|\bi (want|need|would like|wanted|'d like) to (know|learn|understand|read)\b"
    r"|\bi('m| am) (writing|studying|researching|reading|learning|curious|doing research)\b"
)
"""Says who wants to know, not who is ill."""
_SEEKS_KNOWLEDGE: Final = re.compile(
    r"\b(risks?|chances?|odds|likelihood|likely|prevent\w*|avoid\w*|fear|afraid|scared|history"
    r"|worried about (?:having|getting)|after|since|survivors?|recover\w*|(?:previous|prior|past)"
    r"|(?:tell|read|learn|know|information|info|article|book|essay|paper|thesis|lecture|talk|class"
    r"|research|studying|research\w*|curious|facts) (?:\w+ ){0,2}?(?:about|on|of)"
    r"|what (?:causes|caused|makes|is|are|does)|why (?:do|does) (?:people|someone|a)"
    r"|(?:causes?|symptoms?|signs?|treatments?|types?|definition|risk factors?) (?:of|for))"
    r"(?: (?!my\b|his\b|her\b|this\b|our\b|their\b)[\w']+){0,4}\s*$"
    r"|\b(can|could|does|do|may|might|would|will)\b.{0,60}\b(cause|lead to|give|trigger|result in"
    r"|make)\b[^.?!]*$"
)
"""Before a sign: it is what knowledge is asked about."""
_DENIED: Final = re.compile(r"\b(no|without|never|nor)( any| more)? *$|没有?$|无$")
"""Directly before a sign, beside the cues of ``kg.text.context``."""
_LONG_AGO: Final = re.compile(
    r"\blast (month|year|winter|summer|spring|autumn|fall|decade)\b"
    r"|\b(\d+|a|an|one|two|three|four|five|six|several|few|many|some|couple of) "
    r"(week|month|year|decade)s? ago\b|\byears ago\b|\bin ((19|20)\d\d|my (twent|thirt|fort|fift)ies)\b"
    r"|\bas a (child|kid|baby|teenager)\b|\bwhen (i|he|she) was (a |an |\d|young|little|pregnant)"
    r"|\b(previously|in the past|used to|history of|survived|died|passed away|back then|at age \d+"
    r"|at \d\d|at the age of)\b"
)
_PAST_TENSE: Final = re.compile(
    r"(?<!have )(?<!has )(?<!'ve )(?<!'s )\b(had|was having|got|suffered|experienced)\b( \w+){0,3}\s*$"
    r"|^(had|was having) "
)
"""Directly before a sign, or its first word."""
_NOW: Final = re.compile(
    r"\b(now|just|today|tonight|this (morning|afternoon|evening)|(minute|min|hour|hr)s? ago|currently"
    r"|at the moment|sudden(ly)?|all of a sudden|still|right away|help|emergency|hurry|urgent\w*"
    r"|911|999|what (should|do|can|shall) (i|we) do)\b|!"
)
_KNOWLEDGE: Final = re.compile(
    r"\b(what|which|who|whom|why|how|when|where|whether|causes?|symptoms?|signs?|treatments?|cure"
    r"|information|explain|define|definition|describe|difference|does|do|can(?!'t)|could|is|are|diagnos\w+)\b"
)
"""Words of a question for knowledge."""

_TOLD: Final = 4
_TOLD_ZH: Final = 7
"""Words, or Chinese characters, from which a text that asks nothing tells what happens, though not to whom."""
_LEAST_LIKE: Final = 0.1
_LEAST_LIKE_ZH: Final = 0.08
_LEAST_MARGIN: Final = 0.003
"""Likeness to a story of an emergency, and lead before anything else, from which a text counts as one: small,
for a false alarm costs less than a miss."""
_LATER: Final = re.compile(
    r"\b(will|could|can|might|does) (it|this|that|he|she|they)\b[^.?!]{0,40}\b(become|turn into|develop|happen again|come back"
    r"|later|get|lead)\b|\b(in (the )?future|later in life|when (he|she) (is|grows))\b"
)
_LATER_ZH: Final = re.compile(
    r"(以后|将来|长大|往后).{0,10}(会|还)|会不会(变|得|复发|再)|还会(不会)?再?(犯|发|得)"
)
"""Asks what will come of what was."""
_AND: Final = re.compile(r"\band (?=i\b|now\b|he\b|she\b|(am|is|have|has)\b)")
"""Joins what is said of one time with what is said of another."""

_HERE_ZH: Final = re.compile(
    r"我|俺|咱|本人|爸|妈妈|老妈|爹|父亲|母亲|爷爷|奶奶|外公|外婆|姥[姥爷]|老公|老婆|丈夫|妻子|爱人|老伴|儿子"
    r"|女儿|[他她]|有人|旁边|同事|工友|队友|路人|朋友|室友|同学|邻居|哥|姐|弟弟|妹妹|侄|外甥|孙子|孙女|外孙|岳父|岳母|婆婆|公公|叔|舅|姑姑|阿姨|家人|家里"
)
_ANYONE_ZH: Final = re.compile(r"孩子|小孩|宝宝|婴儿|娃|老人|孕妇|病人|患者|一个人")
"""May be present, or anyone."""
_NOW_ZH: Final = re.compile(
    r"正在|突然|一直|厉害|剧烈|不停|救命|救救|要命|受不了|快不行|快死|急[!！。，,]|急急|现在|刚刚|刚才|刚|今天"
    r"|分钟|小时|[!！]|越来越|浑身|冒冷汗|出冷汗|大汗"
)
_LONG_AGO_ZH: Final = re.compile(
    r"去年|前年|上个?月|以前|曾经?|从前|(?<![晕昏疼痛死])过去|小时候|年轻时|当年|当时|[年月周]前|年以前|[得患发]过|过一次|病史"
    r"|已经好了|康复|出院|去世|死于|过世|走了.{0,3}年|后遗症"
)
_SEEKS_KNOWLEDGE_ZH: Final = re.compile(
    r"关于|论文|作业|科普|害怕会|担心会|怕会"
    r"|如何预防|怎[么样]预防|预防|会不会(引起|导致)|会(引起|导致)|引起|导致|诱发|风险|几率|概率|遗传"
)
_WANTS_TO_KNOW_ZH: Final = re.compile(
    r"想(了解|知道|问问?|咨询)(一下)?.{0,12}(原因|知识|区别|资料|症状|机制|标准)"
)
_AFTER_ZH: Final = re.compile(r"的?(风险|几率|概率|后遗症|预防|危害)")
"""Directly after a sign: it is what knowledge is asked about."""
_KNOWLEDGE_ZH: Final = re.compile(
    r"什么|哪些|哪|原因|为何|症状|表现|区别|治疗|方法|怎么回事|如何|吗|多久|征兆|前兆|信号|定义|常见|分类|类型|有关|意思|护理|急救"
)

_ASKS: Final = re.compile(
    r"\?|^\W*(is|are|do|does|can|could|tell)\b|\b(what|which|who|whom|why|how|where|whether|causes?|symptoms"
    r"|treatments?|cure|information|explain|define|definition|describe|difference|diagnosed)\b"
)
_ASKS_ZH: Final = re.compile(
    r"[?？吗]|(什么|哪|怎么?)(?!都|也|办)|为何|如何|多久|前兆|定义|分类|护理|急救|原因|症状"
)
"""Asks something, whatever of."""
_INHERITED: Final = re.compile(r"遗传|\b(hereditary|inherit\w*|genetic)\b")

_HAPPENED_ZH: Final = re.compile(r"了(?!解)|怎么办|咋办|怎么救")
"""In or after a sign: it has come, and somebody asks what to do."""
_HPO: Final = re.compile(r"HP:\d{7}")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]")
_ESCAPED: Final = re.compile(r"\\.")
"""What a regular expression writes with a letter that it does not mean."""
_CLAUSES: Final = re.compile(r"[.;!?。；！？\n]+|,|，|\b(?:but|although|though)\b|但是?|不过")


class _Situation(NamedTuple):
    name: str
    help: Help
    sources: tuple[str, ...]
    signs: tuple[re.Pattern[str], ...]
    alone: tuple[re.Pattern[str], ...]
    always: tuple[re.Pattern[str], ...]
    together: tuple[tuple[re.Pattern[str], ...], ...]
    but_not: re.Pattern[str] | None
    findings: frozenset[str]


@dataclass(frozen=True)
class Emergency:
    """What in a question speaks of an emergency, and what to do first."""

    situation: str
    """Its name in ``emergencies.yaml``."""
    help: Help
    words: str
    """The sign as it was read: simplified, in lower case; the whole text where a story says it."""
    sources: tuple[str, ...]
    """The public guidance that calls this an emergency."""

    @property
    def advice(self) -> str:
        """What to do first, in the language that is spoken."""
        match self.help:
            case "ambulance":
                return translate(
                    "This may be an emergency: call your local emergency number now, or have "
                    "somebody call it. Do not wait for an answer here."
                )
            case "poison":
                return translate(
                    "This may be poisoning: call your local emergency number or poison centre now, "
                    "even if nothing is felt yet, and keep the package. Do not wait for an answer "
                    "here."
                )
            case "crisis":
                return translate(
                    "You do not have to go through this alone: if anybody may be in danger now, "
                    "call your local emergency number; a crisis line, or somebody you trust, helps "
                    "at any hour."
                )


def find_emergency(text: str, *, stories: bool = True) -> Emergency | None:
    """The emergency that a question speaks of, English or Chinese; None if it speaks of none.

    Args:
        text: a question; of a longer text the first 5,000 characters are read.
        stories: whether one counts that no sign names, but that is told as people tell of it.
    """
    read, han = _read(text)
    return _by_sign(read, han=han) or (_by_story(read, han=han) if stories else None)


def _read(text: str) -> tuple[str, bool]:
    """The text as it is compared with signs, and whether it is Chinese."""
    read = simplified_text(text[:_LONGEST]).lower().replace("\u2019", "'").replace("\u2018", "'")
    return read, _HAN.search(read) is not None


def _by_sign(read: str, *, han: bool) -> Emergency | None:
    """The emergency of the first sign that counts."""
    for situation in _situations_for(read):
        for sign in situation.always:
            if found := sign.search(read):
                return _emergency(situation, found[0])
        if situation.but_not and situation.but_not.search(read):
            continue
        for sign in (*situation.alone, *situation.signs):
            if found := _present(read, sign, alone=sign in situation.alone, han=han):
                return _emergency(situation, found[0])
        for signs in situation.together:
            if found := _together(read, signs, han=han):
                return _emergency(situation, found[0])
    return None


_ASKS_LEAVE: Final = re.compile(
    r"^(so |and |ok |hi,? )?((can|could|may|should) (i|we|he|she|they|my \w+) (still |safely )?(go (back )?to (work|school|nursery|the gym)|return to|fly|travel|swim|exercise|drive|work)\b"
    r"|(when|how (soon|long|high|bad|often))\b.*\b(school|nursery|work|see (a|the|my) (doctor|gp)|(go|take \w+) to (the |a )?(hospital|doctors?)))"
    r"|(多少|几)度.*(去|看|送|上)(医院|医生|急诊)|(能|可以)不?(能|可以)?(去|回)?(上学|上班|上幼儿园|坐飞机|游泳|运动)"
)
"""A short question of who is ill and asks what is allowed, or when to go to a doctor: no story."""


def _by_story(read: str, *, han: bool) -> Emergency | None:
    """The emergency of a text that is most like stories of it; None where it only asks, or tells of long ago."""
    if han:
        length, somebody, asks = len(read), _HERE_ZH.search(read), _ASKS_ZH.search(read)
        over = _LONG_AGO_ZH.search(read) and not _NOW_ZH.search(read)
    else:
        length, somebody, asks = len(read.split()), _HERE.search(read), _ASKS.search(read)
        over = _LONG_AGO.search(read) and not _NOW.search(read)
    least = (_TOLD_ZH if han else _TOLD) * (1 if somebody else 1.5)
    if length < least or (asks and not somebody) or over or _INHERITED.search(read):
        return None
    if length < 2 * least and _ASKS_LEAVE.search(read):
        return None
    story = story_of(read)
    if story is None or story.kind != "emergency":
        return None
    if story.score < (_LEAST_LIKE_ZH if han else _LEAST_LIKE) or story.margin < _LEAST_MARGIN:
        return None
    situation = next(each for each in _situations_for(read) if each.name == story.names[0])
    return _emergency(situation, read)


def emergency_of_finding(id_: str, names: Iterable[str]) -> Emergency | None:
    """The emergency that a finding is for whoever has it; None if it is none.

    Args:
        id_: of the finding; a term of HPO is known by it alone.
        names: what it is called, in English or Chinese; any other finding is known by them, but
            for words of what may be mild, as HPO's terms of it are no emergency either.
    """
    called = list(names)
    if _HPO.fullmatch(id_):
        for situation in _situations(latin=False, han=False):
            if id_ in situation.findings:
                return _emergency(situation, called[0] if called else id_)
        return None
    grave = (_mild().sub(" ", simplified_text(name)).strip() for name in called)
    said = (_read(f"我{name}" if _HAN.search(name) else f"I have {name}") for name in grave)
    return next(filter(None, (_by_sign(read, han=han) for read, han in said)), None)


@cache
def _mild() -> re.Pattern[str]:
    """Words of a finding that may be mild or of long standing; read once."""
    table: Mapping[str, list[str]] = shipped_table(__package__, "emergencies.yaml")
    return re.compile("|".join(table["mild"]), re.IGNORECASE)


def _emergency(situation: _Situation, words: str) -> Emergency:
    return Emergency(situation.name, situation.help, words.strip(), situation.sources)


def _present(text: str, sign: re.Pattern[str], *, alone: bool, han: bool) -> re.Match[str] | None:
    """The first place of a sign where it is said of somebody who is there, now."""
    for match in islice(sign.finditer(text), _MOST):
        start = _clause_start(text, match.start())
        before, after = text[start : match.start()], text[match.end() :]
        [context] = contexts(text, [match.span()])
        if context.negated or _DENIED.search(before):
            continue
        is_about_now = _is_about_now_in_chinese if han else _is_about_now
        if is_about_now(text, before, match[0], after, alone=alone):
            return match
    return None


def _together(text: str, signs: tuple[re.Pattern[str], ...], *, han: bool) -> re.Match[str] | None:
    """The last of several signs, near each other in any order; none is denied or of long ago."""
    *others, last = signs
    found = _present(text, last, alone=False, han=han)
    if found is None:
        return None
    reach = _REACH_ZH if han else _REACH
    near = max(0, found.start() - reach), found.end() + reach
    long_ago, now = (_LONG_AGO_ZH, _NOW_ZH) if han else (_LONG_AGO, _NOW)
    for sign in others:
        for match in islice(sign.finditer(text, *near), _MOST):
            before = text[_clause_start(text, match.start()) : match.start()]
            clause = before + match[0] + _CLAUSES.split(text[match.end() :], maxsplit=1)[0]
            [context] = contexts(text, [match.span()])
            is_past = long_ago.search(clause) and not now.search(clause)
            if not (context.negated or _DENIED.search(before) or is_past):
                break
        else:
            return None
    return found


def _clause_start(text: str, at: int) -> int:
    return max((mark.end() for mark in _CLAUSES.finditer(text, 0, at)), default=0)


def _is_about_now(text: str, before: str, sign: str, after: str, *, alone: bool) -> bool:
    """Whether an English text says the sign of somebody present, now."""
    person = _HERE.search(_NOT_HERE.sub(" ", text))
    now = _NOW.search(text)
    if _LATER.search(text) and _LONG_AGO.search(text) and not now:
        return False
    clause = _AND.split(before)[-1] + sign + _CLAUSES.split(after, maxsplit=1)[0]
    if _LONG_AGO.search(clause) and not _NOW.search(clause):
        return False
    if _SEEKS_KNOWLEDGE.search(before):
        return False
    if person is None:
        asks = _KNOWLEDGE.search(text.replace(sign, " "))
        tells = alone or len(text.split()) >= _TOLD
        return tells and not (asks and not now)
    return now is not None or not (_PAST_TENSE.search(before) or _PAST_TENSE.match(sign))


def _is_about_now_in_chinese(
    text: str, before: str, sign: str, after: str, *, alone: bool
) -> bool:
    """Whether a Chinese text, which may not say of whom, says the sign of somebody present, now."""
    clause = before + sign + _CLAUSES.split(after, maxsplit=1)[0]
    if _LONG_AGO_ZH.search(clause) and not _NOW_ZH.search(clause):
        return False
    if _LATER_ZH.search(text) and _LONG_AGO_ZH.search(text) and not _NOW_ZH.search(text):
        return False
    if (
        _SEEKS_KNOWLEDGE_ZH.search(before)
        or _AFTER_ZH.match(after)
        or _WANTS_TO_KNOW_ZH.search(clause)
    ):
        return False
    if _HERE_ZH.search(text):
        return True
    if _SEEKS_KNOWLEDGE_ZH.search(clause):
        return False
    now = _NOW_ZH.search(text) or _HAPPENED_ZH.search(sign + after)
    knowledge = _KNOWLEDGE_ZH.search(text.replace("怎么办", ""))
    tells = alone or now or _ANYONE_ZH.search(before) or len(text) >= _TOLD_ZH
    return bool(tells) and not knowledge


def _situations_for(text: str) -> tuple[_Situation, ...]:
    """The situations with the signs that a text may have by its script."""
    return _situations(latin=_LATIN.search(text) is not None, han=_HAN.search(text) is not None)


@cache
def _situations(*, latin: bool, han: bool) -> tuple[_Situation, ...]:
    """The table of the package, made ready, once for each script: half of the signs are in either.

    Args:
        latin: with the signs in English.
        han: with those in Chinese.
    """
    read = shipped_table(__package__, "emergencies.yaml")
    words = {
        name: "|".join([rf"\b(?:{each['en']})\b"] * latin + [each["zh"]] * han)
        for name, each in read["words"].items()
    }

    def is_read(sign: str) -> bool:
        in_han, in_latin = _HAN.search(sign), _LATIN.search(_ESCAPED.sub("", sign))
        return bool((han and in_han) or (latin and in_latin))

    return tuple(_situation(row, read["sources"], words, is_read) for row in read["situations"])


def _situation(
    row: Mapping[str, object],
    sources: Mapping[str, str],
    words: Mapping[str, str],
    is_read: Callable[[str], bool],
) -> _Situation:
    def patterns(key: str) -> Iterator[re.Pattern[str]]:
        lines = row.get(key, [])
        yield from map(re.compile, filter(is_read, lines if isinstance(lines, list) else []))

    def together() -> Iterator[tuple[re.Pattern[str], ...]]:
        lines = row.get("together", [])
        for line in lines if isinstance(lines, list) and any(words.values()) else []:
            yield tuple(
                re.compile("|".join(words[name] for name in group.split(" or ")))
                for group in line.split(" and ")
            )

    named, helped, findings = row["sources"], row["help"], row.get("findings", {})
    if not isinstance(named, list) or helped not in ("ambulance", "poison", "crisis"):
        raise ValueError(
            f"emergencies.yaml, {row['name']}: give sources, and a help that is known"
        )
    return _Situation(
        str(row["name"]),
        helped,
        tuple(sources[name] for name in named),
        tuple(patterns("signs")),
        tuple(patterns("alone")),
        tuple(patterns("always")),
        tuple(together()),
        re.compile(but_not) if (but_not := str(row.get("but_not", ""))) else None,
        frozenset(findings if isinstance(findings, dict) else ()),
    )
