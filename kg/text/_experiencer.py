"""Which mentions a text ascribes to somebody other than the patient: ConText's experiencer."""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from kg.text._cues import Cue, CueLexicon, SegmentedText


def _words(text: str) -> list[str]:
    return text.split()


_MALE_WORDS: Final = _words(
    "father dad daddy papa grandfather grandpa granddad brother uncle nephew husband boyfriend"
    " stepfather son stepson grandson stepbrother mgf pgf"
)
_FEMALE_WORDS: Final = _words(
    "mother mom mum mommy mama grandmother grandma granny sister aunt auntie niece wife girlfriend"
    " stepmother daughter stepdaughter granddaughter stepsister mgm pgm"
)
_GENDER_NEUTRAL_WORDS = _words(
    "parent grandparent sibling twin cousin relative spouse partner fiance fiancee roommate"
    " coworker friend neighbor neighbour colleague classmate"
)
_KIN_WORDS = [*_MALE_WORDS, *_FEMALE_WORDS, *_GENDER_NEUTRAL_WORDS]
_KIN = "|".join([*_KIN_WORDS, *(f"{word}s" for word in _KIN_WORDS), "family members?"])
_SAYS = _words(
    "says said say states stated reports? reported notes noted notices? noticed thinks? thought"
    " believes? believed feels felt describes? described den(?:y|ies|ied) brings brought call(?:s|ed)"
    " tells told gave gives complain(?:s|ed)? worr(?:y|ies|ied) recalls? observed claims confirms"
    " found saw witnessed asks asked mention(?:s|ed) insists wants wanted took takes add(?:s|ed)"
    " explain(?:s|ed) express(?:es|ed) attributes requests"
)
_ALSO = (
    f"(?: and (?:his |her |their |the )?(?:{'|'.join(f'{word}s?' for word in _KIN_WORDS)}))?"
    "(?: (?:have|has|had))?(?: (?:also|now|then|then also|both|further))?"
)

_MACROS: Final = {
    "kin": f"(?:{_KIN})(?: 's|'s|')?",
    "kins": "|".join([*_KIN_WORDS, *(f"{word}s" for word in _KIN_WORDS)]),
    "whose": (
        "(?: (?:my|his|her|their|your|our|the|a|an|both|both of|one of|two|pt's|patient's|maternal"
        "|paternal|older|younger|elder|own|late|twin|step|half|great|immediate|known|multiple"
        "|several|other|birth|biological|adoptive|and)){0,4}"
    ),
    "says": (
        f"{_ALSO} (?:{'|'.join(_SAYS)}"
        "|(?:did|do|does|could|can) not (?:report|notice|note|describe|mention|recall|remember|know|see|think|believe)"
        "|(?:is|was|are|were) (?:very |also |quite |a little |here |so |both )?(?:concerned|worried|aware|unaware|here|present|with"
        "|at bedside|unsure|not sure|able|unable|the historian|a reliable|a poor)|at (?:the )?bedside)"
    ),
}
"""Regular expressions that several cues share, by name."""

_PEOPLE_ZH = _words(
    """
母亲 父亲 妈妈 爸爸 父母 爷爷 奶奶 外公 外婆 姥姥 姥爷 祖父 祖母 外祖父 外祖母 祖父母 外祖父母 双亲
哥哥 弟弟 姐姐 妹妹 兄弟 姐妹 兄妹 姐弟 兄弟姐妹 兄长 胞兄 胞弟 胞姐 胞妹 大哥 大姐 二哥 二姐 哥 姐
叔叔 伯父 伯伯 姑姑 姑妈 姑母 舅舅 舅妈 舅父 阿姨 姨妈 姨母 小姨 大姨 婶婶 伯母
堂兄 堂弟 堂姐 堂妹 表哥 表弟 表姐 表妹 表兄 侄子 侄女 外甥 外甥女 孙子 孙女 外孙
丈夫 妻子 老公 老婆 爱人 配偶 老伴 男友 女友 男朋友 女朋友 儿子 女儿 子女 其子 其女 其父 其母
长子 次子 长女 次女 我妈 我爸 我哥 我弟 我姐 我妹 他妈 他爸 她妈 她爸 他妈妈 他爸爸 她妈妈 她爸爸 老妈 老爸
岳父 岳母 公公 婆婆 养父 养母 继父 继母 同事 同学 同桌 工友 战友 舍友 室友 邻居 朋友 家人 家里人 亲属 亲戚 家族成员
"""
)
_KIN_ZH = f"(?:{'|'.join(sorted(_PEOPLE_ZH, key=len, reverse=True))})"
_SAYS_ZH = (
    "(?:们)?(?:也|曾|又|还|就|随即|立即|们|均|都|为|于|因|便)?(?:代?诉|代?述|说|讲|称|告知|补充|发现|认为|担心|陪同|陪伴|带|送|否认|要求|表示|提供|介绍"
    "|描述|反映|观察|听|看到|看见|见|搀扶|扶|叫|让|催|劝|发觉|回忆|签字|同意|拒绝|给|喂|抱|推荐|聚会|聚餐"
    "|同住|一起|生活|离异|离婚|吵架|不和|争吵|去世后|体健|健康(?!状况)|诉说|觉得)"
)
_KIN_BY_CHARACTER = "\n".join(
    f"zh {word}" if len(word) > 1 else f"zh {word}(?=[患有因死于得也都：:、])"
    for word in _PEOPLE_ZH
)
_SAYS_BY_CHARACTER = "\n".join(f"zh {word}{_SAYS_ZH}" for word in _PEOPLE_ZH)
_WITH_ZH = "\n".join(
    [f"zh {word}其?{_KIN_ZH}(?!们?[都均也皆曾]?[有患得死])" for word in "和与跟同随"]
    + [f"zh {word}其?{_KIN_ZH}(?:陪|送|带|抱|扶|介绍|发现|代)" for word in "由在经"]
)
_AFTER_I_ZH = "(?!们?的?家?里?(?:妈|爸|父|母|哥|弟|姐|妹|爷|奶|姥|舅|姨|姑|叔|伯|外公|外婆|老公|老婆|丈夫|妻|爱人))"

_CHILD_ZH = " ".join(
    f"{who}(?:的|家)?(?:儿子|女儿|孩子|宝宝|小孩|闺女|宝贝|娃)" for who in "我你您"
)

_KIN_CUES = f"""
{{kins}} ?(?:'s)?
family members? ?(?:'s)?
family ?(?:'s)? ?(?:medical |health )?(?:history|hx)(?: (?:of|for|is|was|significant|positive|notable|remarkable))*
fhx|fh ?(?:of)?
family has|have|had|with
anyone|anybody|someone|somebody|nobody (?:else )?in {{whose}} family
no one (?:else )?in {{whose}} family
everyone|everybody|anyone|anybody|someone|somebody|nobody|people|residents|others (?:else )?(?:at home|in (?:the|his|her|my|your|our|their) (?:house|household|home|class|daycare))
several|multiple|other|many family members (?:also )?complain of
maternal|paternal (?:side|history|family|relatives?)
maternal|paternal
his|her|their children|kids|child|baby
zh 身边有没有人 身边有人 身边的人 周围有没有人 周围有人 周围的人 家里谁 家中谁 家里还有谁
zh 家族中 家族里 家族内 家族有 家族无 家属有 家属患 家属中 家中有 家里有 家里没 家中无 家族性 家族遗传 家族遗传性 直系亲属 一级亲属 近亲属
zh 父(?=[患有因死健于：:已]) 母(?=[患有因死健于：:已]) 兄(?=[患有因死健于：:已]) 弟(?=[患有因死健于：:已]) 妹(?=[患有因死健于：:已])
{_KIN_BY_CHARACTER}
"""

_BOTH_CUES = """
in|on|within {whose} {kin}
in {whose} (?:side of {whose} )?family(?! (?:interactions?|gatherings?|events?|activit|business|life|matters))
on {whose} {kin} side
in|on {whose} sides? of {whose} family
on {whose} side
by {whose} (?:{kin}) side
( ?{whose} ?{kin}
runs|run|running in {whose} (?:family|families)
among {whose} {kin}
affecting|affects|affected {whose} {kin}
"""

_HISTORY_CUES = """
zh 家族史 家族病史 家族遗传史 家族遗传病史 家族倾向
"""

_PSEUDO = f"""
{{kins}} {{says}}
{{kins}} of (?:two|three|four|five|six|one|a|an|her|their|the|\\d{{1,2}}|(?:hers|his)(?! (?:has|had|is|was|with|who|also|died)\\b))
family {{says}}
family members? {{says}}
with {{whose}} {{kin}} for
this|he|she is my {{kin}}
{{kins}} tongue|chromatids?|mary|figure|to be
twin|twins (?:pregnancy|pregnancies|gestation|gestations|delivery)
per|by|told {{whose}} {{kin}}
according to {{whose}} {{kin}}
accompanied|brought|attended (?:in |here |to (?:the )?[a-z]{{1,12}} )?(?:by|with) {{whose}} {{kin}}(?: and {{whose}} {{kin}})?
from {{whose}} {{kin}}
obtained|history from {{whose}} {{kin}}
lives|living|live|lived|resides|stays|staying with {{whose}} {{kin}}(?: and {{whose}} {{kin}})?(?! (?:who|with))
here|presents|comes|came (?:today )?with {{whose}} {{kin}}(?! (?:who|with))
with {{whose}} {{kin}} (?:in the room|at bedside|present)
nursing|expectant|pregnant|new|single|working|breastfeeding|feeding|lactating|surrogate|teenage mother|mothers|mom|moms|mum|father|parent|parents
i (?:think|believe|guess|know|remember|mean|recall|heard|suppose|assume|would say|don't know|do n't know|am not sure|'m not sure)
i'm not sure
i'm|i (?:am )?(?:so |very |really |truly |deeply )*sorry
you know
patient|pt ?[\\]:：]
i should|need|want|have (?:to )?know
family (?:doctor|physician|medicine|practice|practitioner|planning|room|meeting|support|therapy|conference|stress|problems?|dinner|friend|nurse|care|life|dynamics|discord|gathering)
maternal (?:- ?)?(?:fetal|age|serum|instinct)
patient|pt|patient's (?:'s )?{{kin}} {{says}}
zh 患者{_KIN_ZH}[:：] 病人{_KIN_ZH}[:：] 患儿{_KIN_ZH}[:：]
zh 母乳 母斑 母细胞 近亲结婚 近亲婚配 近亲婚育 同学会 朋友圈 朋友家 同事家 小朋友 小同学
zh 被{_KIN_ZH}(?:给|们)?传染
{_WITH_ZH}
{_SAYS_BY_CHARACTER}
"""

_PATIENT = f"""
i|me|myself|mine|my|i'm|i've|you|your|yourself|patient|pt|patient's|you're|you've
my|our (?:(?:older|younger|little|newborn|new|eldest|oldest|youngest|[0-9]{{1,2}}|[a-z]{{3,9}}-?|year|years|month|months|week|day|old)[ -]{{1,2}}){{0,3}}(?:son|daughter|child|baby|kid|toddler|infant|boy|girl|grandson|granddaughter)
his|her|their (?:child|baby|infant|son|daughter|newborn|toddler|boy|girl) (?:has|had|is|was|developed|develops|started|began|does|did|appears|seems|will|woke|vomited)
this|the (?:child|baby|infant|boy|girl|gentleman|lady|woman|man)
zh 宝宝 小孩 小儿 患者 病人 患儿 病者 本人 自己 自诉 自述 现病史 既往史 个人史 婚育史 月经史 体格检查 查体 主诉 辅助检查 实验室检查 过敏史 婚姻史 生育史 入院
zh 我(?<![在来到去回]我){_AFTER_I_ZH} {_CHILD_ZH} 您 你(?!的?(?:妈|爸|父|母|家|哥|弟|姐|妹)) 我妈带 我爸带
"""

_PARENT = """
zh 我自己也 我自己就 我自己都 我[也就](?=开始|发[烧热]|咳|感冒|流鼻|拉肚|呕?吐)
"""

_EXPERIENCER: Final = {
    "pseudo": _PSEUDO,
    "parent": _PARENT,
    "both": _BOTH_CUES,
    "kin": _KIN_CUES,
    "history": _HISTORY_CUES,
    "patient": _PATIENT,
    "he": "he|he's|his\n",
    "she": "she|she's|her\n",
    "they": "they|them|their|they're\n",
}
"""Cues of the experiencer by category.

``kin`` stands before what another person has, ``both`` before or after it, ``history`` after it
(before it only as a heading). ``parent`` is who reports a child's illness and has it too, or the
patient where no child is spoken of. ``patient`` ends the scope of other people, as do ``he``, ``she``
and ``they`` where they cannot mean the relative. ``pseudo`` only looks like a cue.
"""

_PRESENT: Final = re.compile(
    r"(?:'s|s)?\s(?:also |currently |now |otherwise )?"
    r"(?:has|is|reports|denies|takes|complains|presents|uses|works|lives|states|does|smokes)\b"
)
"""After "he" or "she": notes use the present tense of the patient, the past of relatives."""
_FAMILY_HEADING: Final = re.compile(
    r"(?:family\s{1,3}(?:medical\s{1,3})?(?:history|hx)|fhx|fh|家族史|家族病史|家族遗传史)\s?(?::|：|\n|】|\])"
)
"""Begins a section about the family."""
_NEXT_HEADING: Final = re.compile(
    r"(?:^|\n|[.;。；，,]\s?)[ \t]{0,4}(?!(?:Mother|Father|Brother|Sister|Maternal|Paternal|Family|Parents|Siblings"
    r"|Grand|Aunt|Uncle|Son|Daughter|MOTHER|FATHER|FAMILY))([A-Z][A-Za-z/&' -]{2,40}):"
    rf"|\n[ \t]{{0,4}}(?!{_KIN_ZH}|[父母兄弟姐妹子女家])[\u4e00-\u9fff]{{2,10}}[:：]"
    r"|\n[ \t]{0,4}\n|(?:现病史|既往史|个人史|婚育史|月经史|体格检查|查体|主诉|辅助检查|实验室检查|实验室资料|门诊检查|门诊资料|专科检查|入院检查|化验|过敏史|婚姻史|生育史)"
)
"""Begins another section, which ends the one about the family."""

_LEXICON: Final = CueLexicon(_EXPERIENCER, _MACROS)
_BROUGHT_BY: Final = "guest_family"
"""Speaks for the patient, who is then "your son"."""
_NOTE: Final = re.compile("家族史|既往史|病人|患者|主诉|体健|健在")
"""In a note a child is a relative; in a parent's report it is the patient."""
_CHILD: Final = re.compile("宝宝|宝贝|孩子|小孩|女儿|儿子|女宝|男宝|[女男]娃")
"""Whom a parent's report is about."""
_ACQUAINTANCES: Final = ("同学", "同桌", "同事", "工友", "战友", "舍友", "室友", "邻居", "朋友")
"""Nothing more is said of them after a comma."""
_DOCTOR_SPEAKS: Final = re.compile(r"^(?:医生|大夫|医师|doctor)\s?[:：]", re.MULTILINE)
_FRAGMENT: Final = re.compile(
    r"(?<=[?.])[ \t]{1,3}(?:what|which) (?:(?:type|kind|sort)s? of )?([^?.!\n]{3,40})\?"
    r"|(?<=\?)[ \t]{1,3}((?:(?!\b(?:you|your|i|he|she|they|do|does|did|have|has|had|is|are|was|were|how|what"
    r"|when|where|who|which|why)\b)[^?.!\n]){3,80})\?"
)
"""A question without a verb, or which of them it is, which goes on with the one before it in the same turn."""
_FOLLOW_UP: Final = re.compile(
    r"\n[^:：\n]{1,20}[:：][^?？\n]{0,60}?\b(?:(?:what|how) (?:about|bout) (?!you)"
    r"|(?P<told>(?:anyone|anybody|who) (?:with|has|had|have) |which |what (?:type|kind|sort)s? of ))"
    r"(?P<asked>[^?？\n]{1,60})[?？]"
)
"""A question that goes on with the one before: "Any cancer in the family? … What about gout?"."""
_ASKS_OF_FAMILY: Final = re.compile(
    r"^[^\n]{0,300}?(?:family|health|medical|condition|problem|disease|illness|issue|cancer|history|run in|家里|家族"
    r"|家人)[^\n]{0,300}?[?？]\s{0,3}\n(?:[^:：\n]{1,20}[:：])?",
    re.MULTILINE,
)
"""A turn that asks of illnesses; the answer begins behind it."""
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd)\b(?! (?:do[.,]|think|believe|guess|suppose|know|am not sure|do n't know|don't know|not sure))"
    rf"|\b(?:my(?! (?:[a-z]{{1,10}} ){{0,2}}(?:{_KIN})\b)|me|mine|we|myself)\b|我|\n|$"
)
"""Ends what an answer says of relatives without naming them."""
_LIST_OPENING: Final = re.compile(
    r"(?:history|hx) of|\bthere (?:is|are|was)|[:：;；]|[有无]|否认|\bno\b|\bany\b|\b(?:has|have|had)\b"
)
"""After it begins the list that a relative at its end has ("any asthma or gout in her mother")."""
_MAX_LIST_CHARACTERS: Final = 120
_MAX_MEMBER_WORDS: Final = 4
"""The most words of a member of a list."""
_FOLLOWS_AS_HEADING: Final = re.compile(r"\s?[：:]|中|有|无|里")
_MALE: Final = re.compile(rf"\b(?:{'|'.join(_MALE_WORDS)})\b")
_FEMALE: Final = re.compile(rf"\b(?:{'|'.join(_FEMALE_WORDS)})\b")
_PRONOUNS: Final = ("he", "she", "they")
_SUBORDINATE: Final = (", although ", ", though ", ", while ", ", because ", ", since ", ", when ")
"""Begins a clause about the subject of the one before: "her brother, although he is thin"."""
_POSSESSIVES: Final = ("my ", "your ", "have a ", "have an ", "had a ", "have one ")
"""With which a speaker names relatives of their own, not of the patient."""


def are_about_others(text: SegmentedText, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether each of the mentions is about somebody other than the patient."""
    reports = _CHILD.search(text.folded) and not _NOTE.search(text.folded)
    parent = "kin" if reports else "patient"
    cues = [
        cue._replace(category=parent) if cue.category == "parent" else cue
        for cue in _LEXICON.find(text.folded, spans)
        if not _speaks(text.folded, cue)
    ]
    scopes = [*_sections(text), *_scopes_after(text, cues), *_scopes_before(text, cues)]
    scopes = sorted([*scopes, *_follow_ups(text.folded, cues)])
    starts = [start for start, _ in scopes]
    furthest_ends = list(accumulate((end for _, end in scopes), max))
    return [
        (count := bisect_right(starts, start)) > 0 and furthest_ends[count - 1] > start
        for start, _ in spans
    ]


def _speaks(folded: str, cue: Cue) -> bool:
    """Whether a relative is only who speaks in a dialogue with a doctor: 母亲：他发烧了."""
    return (
        folded.startswith(("：", ":"), cue.end)
        and (cue.start == 0 or folded[cue.start - 1] == "\n")
        and _DOCTOR_SPEAKS.search(folded) is not None
    )


def _sections(text: SegmentedText) -> Iterator[tuple[int, int]]:
    """The sections under a heading such as "Family history:"."""
    headings = [m.end() for m in _FAMILY_HEADING.finditer(text.folded)]
    if not headings:
        return
    next_headings = [m.start() for m in _NEXT_HEADING.finditer(text.text)]
    for heading in headings:
        position = bisect_left(next_headings, heading)
        yield heading, next_headings[position] if position < len(next_headings) else len(text.text)


def _follow_ups(folded: str, cues: Sequence[Cue]) -> Iterator[tuple[int, int]]:
    """What is asked of relatives in a question that names none, after one that does."""
    about = sorted(cue.start for cue in cues if cue.category in ("kin", "both", "history"))

    def names_family(start: int, end: int) -> bool:
        place = bisect_left(about, start)
        return place < len(about) and about[place] < end

    for fragment in _FRAGMENT.finditer(folded):
        asked = max(folded.rfind(mark, 0, fragment.start() - 1) for mark in ".?!\n:")
        if names_family(asked, fragment.start()):
            yield fragment.span(1 if fragment[1] else 2)
    for question in _FOLLOW_UP.finditer(folded):
        line = question.start() + 1
        told = folded.rfind("\n", 0, question.start()) + 1
        before = folded.rfind("\n", 0, max(0, told - 1)) + 1
        is_told = question["told"] is not None and names_family(told, line)
        is_asked = names_family(before, told) and "?" in folded[before:told]
        speaker = folded[before:told].partition(":")[0]
        if is_told or (is_asked and folded.startswith(speaker, line)):
            yield question.span("asked")
            insort(about, question.start("asked"))
    for question in _ASKS_OF_FAMILY.finditer(folded):
        end = _FIRST_PERSON.search(folded, question.end())
        if end and names_family(question.start(), question.end()):
            yield question.end(), end.start()


class _Relative(NamedTuple):
    """A relative whom a sentence is about."""

    scope_start: int
    gender: str
    """he, she, or they where it is not known."""
    by_speaker: bool
    """Called "my" or "your" mother: then the patient is not "she"."""


def _scopes_after(text: SegmentedText, cues: Sequence[Cue]) -> Iterator[tuple[int, int]]:
    """Scopes from a relative to the end of the sentence, or to where it returns to the patient."""
    current = last = None
    own_child = _own_child(text.folded)
    for cue in cues:
        if current and cue.start > (end := _scope_end(text, current)):
            yield current.scope_start, end
            current = None
        if relative := _named_relative(text.folded, cue, last, own_child):
            if current:
                yield current.scope_start, cue.start
            current = last = relative
        elif current and _is_patient(text.folded, cue, current):
            yield current.scope_start, cue.start
            current = None
        if cue.category == "patient":
            last = None
    if current:
        yield current.scope_start, _scope_end(text, current)


def _scope_end(text: SegmentedText, relative: _Relative) -> int:
    """The end of what a sentence says of a relative."""
    end = text.sentence_end(relative.scope_start)
    if text.folded.endswith(_ACQUAINTANCES, 0, relative.scope_start):
        comma = text.folded.find("，", relative.scope_start, end)
        return comma if comma >= 0 else end
    return end


def _own_child(folded: str) -> re.Pattern[str]:
    """Names the child that a text is about, which somebody of the family speaks for."""
    english = (
        r"(?:my|your) (?:son|daughter|child|baby|kid)(?: ?'s)?"
        if _BROUGHT_BY in folded
        else "(?!)"
    )
    chinese = "(?!)" if _NOTE.search(folded) else "(?:女儿|儿子)"
    return re.compile(f"{english}|{chinese}")


def _named_relative(
    folded: str, cue: Cue, last: _Relative | None, own_child: re.Pattern[str]
) -> _Relative | None:
    """The relative whom a cue names, or means by "he" ("How is your dad? He has gout")."""
    if cue.category in _PRONOUNS:
        is_last = last is not None and last.by_speaker and last.gender == cue.category
        return _Relative(cue.end, cue.category, by_speaker=True) if is_last else None
    is_heading = cue.category == "history" and _FOLLOWS_AS_HEADING.match(folded, cue.end)
    if cue.category not in ("kin", "both") and not is_heading:
        return None
    phrase = folded[cue.start : cue.end]
    owner = next((each for each in _POSSESSIVES if folded.endswith(each, 0, cue.start)), "")
    if own_child.fullmatch(owner + phrase) or own_child.fullmatch(phrase):
        return None
    male, female = _MALE.search(phrase), _FEMALE.search(phrase)
    gender = "they" if bool(male) == bool(female) else "he" if male else "she"
    return _Relative(cue.end, gender, folded.endswith(_POSSESSIVES, 0, cue.start))


def _is_patient(folded: str, cue: Cue, relative: _Relative) -> bool:
    """Whether a cue speaks of the patient, after a relative was named."""
    if cue.category not in _PRONOUNS:
        return cue.category == "patient"
    if folded.endswith(_SUBORDINATE, 0, cue.start):
        return False
    if relative.by_speaker or "they" in (cue.category, relative.gender):
        return False
    return cue.category != relative.gender or _PRESENT.match(folded, cue.end) is not None


def _scopes_before(text: SegmentedText, cues: Sequence[Cue]) -> Iterator[tuple[int, int]]:
    """Scopes before a cue: before "in her mother" or 家族史."""
    last_person = 0
    for cue in cues:
        if cue.category in ("both", "history"):
            start = max(
                text.sentence_start(cue.start), last_person, cue.start - _MAX_LIST_CHARACTERS
            )
            for opening in _LIST_OPENING.finditer(text.folded, start, cue.start):
                start = opening.end()
            yield _list_start(text.folded, start, cue.start), cue.start
        if cue.category in ("kin", "both", "patient"):
            last_person = cue.end


def _list_start(folded: str, start: int, end: int) -> int:
    """Where the list begins that ends at ``end``: "asthma, diabetes and gout" has three members.

    Without "and" the last member stands alone ("has asthma, diabetes in mother").
    """
    *members, last = re.split(r"([,\uff0c])", folded[start:end])
    joined = re.search(r"\b(?:and|or)\b|&|/", last) is not None
    begin = end - len(last)
    while joined and members:
        comma, member = members.pop(), members.pop()
        if len(member.split()) > _MAX_MEMBER_WORDS:
            break
        begin -= len(comma) + len(member)
    return begin
