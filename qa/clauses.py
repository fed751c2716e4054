"""The grammar of questions: where one ends and the next begins, in English and Chinese.

Everything here reads a question whose names are blotted out (each letter of one is an ``x``), so
that no word of a name joins or asks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SHOWN: Final = 80
"""Characters of a question in a message."""
_ASKING: Final = (
    r"(?:how|what|what's|whats|which|who|whom|why|when|where|is|are|can|could|does|do|did|should"
    r"|will|would|may|might|tell)\b"
)
_ASKING_ZH: Final = (
    r"(?:那|又|还|该|应该?|要|不.{0,3})?(?:怎|咋|如何|什么|啥|为什么|为何|为啥|哪|能不能|能否|可不可以|可以|会不会|是不是|是否"
    r"|有没有|有[什哪]|要不要|多久|多少|需要|[吃用看挂查]什么|吃啥|严重吗|能治|遗传|传染)"
)
_OR_NOT: Final = r"(?P<verb>[\u3400-\u9fff])不(?P=verb)|(?<![是要])[不没](?:\s*[？?]|\s*$)"
"""Asks yes or no without a word for it: 痒不痒, 严重不."""
_CLAUSE: Final = re.compile(
    rf"[;?!。？！；\n]+|\.(?=\s|$)|[,，]\s*(?:and |but |so |or )?(?={_ASKING}|{_ASKING_ZH})"
    rf"|\b(?:and|or|but|so)\s+(?={_ASKING})|\b(?:also|plus)\s+(?!is (?!it\b|there\b)|are (?!they\b|there\b))(?={_ASKING})|(?:以及|还有|而且|并且|同时|[和与及])(?={_ASKING_ZH})"
    rf"|[,，](?=[^,，。？?!！；;]{{0,20}}(?:什么|啥|哪|怎么|怎样|咋|如何|多少|几种|{_OR_NOT}|[吗呢](?:\W|$)))"
    rf"|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])|[,，]\s*(?=no\b|but\b|只是|但)",
    re.IGNORECASE,
)
"""Between two questions, or between what is told and what is asked."""
_RUN_ON: Final = re.compile(
    r"(?<!知道)(?<!晓得)(?<!看出)(?<!判断)(?<![会能才就该要还又都想问是和跟与或久天月年、，,])"
    r"(?:那|又|还|该|要)?(?:怎么|怎样|如何|咋|要不要|会不会|能不能|能治|能好|吃什么|吃啥|用什么|挂什么|有什么|有哪些|严重吗)"
)
"""Begins another question where one stands before it, without a mark between: 怎么引起的怎么治."""
_JOIN: Final = re.compile(
    r"[,，、/&:：]|\b(?:and|or|plus|as well as|also)\b"
    r"|以及|还有|或者?|[和与跟]|(?<!涉)(?<!普)及(?!时)",
    re.IGNORECASE,
)
"""Between two members of a list."""
_QUESTION_START: Final = re.compile(
    rf"^\W*(?:and |but |so |then )*{_ASKING}|{_ASKING_ZH}|{_OR_NOT}|[吗呢么]\W*$", re.IGNORECASE
)
_WHETHER: Final = re.compile(
    r"^\W*(?:and |but |so |then |if .{1,60}?,? )*"
    r"(?:is|are|am|was|were|can|could|does|do|did|should|will|would|may|might|has|have|shall)\b"
    r"(?! you (?:have|know)\b)(?! there any (?:drugs?|treatments?|cures?))"
    r"|\b(?:can|could|should|may|must) (?:i|we|you|he|she|they|someone|people|my \w+)\b"
    r"|\bis it (?:safe|ok|okay|fine|bad|dangerous|good|possible)\b|\b(?:safe|okay|ok) (?:to|for|in|with)\b"
    r"|能不能|可不可以|可以|会不会|是不是|是否|能否|有没有|行不行|好不好|要不要|可否|能[吃用服喝]|[吗么]\W*$",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(
    r"\b(?:what|which|who|why|how|when|where)\b|什么|哪|怎么|如何|多少|为何|啥", re.IGNORECASE
)
_TELLS: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|he|she|his|her|we|our|they|mum|mom|dad|has|had|is|was|been|got)\b|我|他|她|咱|俺|查出|确诊|诊断[为出是]",
    re.IGNORECASE,
)
"""Stands in what people tell, beside which no question need be."""
_FUNCTION_WORDS: Final = re.compile(
    r"\b(what|what's|whats|which|who|whom|how|why|when|where|is|are|was|were|be|been|do|does|did"
    r"|can|could|may|might|should|must|will|would|the|a|an|of|for|in|on|to|by|with|and|or|from|i"
    r"|i'm|my|me|we|you|your|it|its|there|any|some|have|has|had|having|get|if|so|then|about|tell"
    r"|please|am|this|that|he|she|his|her|they|their|at|as|not|no|but|s|more|most|much|many)\b"
    r"|什么|哪些|哪个|哪种|怎么样?|如何|为什么|请问|一下|吗|呢|啊|吧|的|了|有|是|我|你|他|她|它|会|能|可以|要|和|与|及|跟"
    r"|还|那|这|种|个|就|都|也|很|得|在|被|把|给|该|应该|告诉|想|知道"
    r"|\b(all of a sudden|sudden(ly)?|now|today|yesterday|tonight|always|often|usually|sometimes|still|again|really"
    r"|exactly|actually|precisely|basically|very|quite|just|only|ago|last|since|for|every|(day|night|morning|evening|week|month|year|hour|minute)s?)\b"
    r"|究竟|到底|具体|突然|一直|总是?|老是|经常|常常|有时候?|最近|现在|今天|昨天|已经|刚刚?|又|还是|特别|非常|有点|越来越|厉害|不行|好几|几次|几天"
    r"|[一二三四五六七八九十两几半\d]+个?(天|周|年|月|次|小时|分钟|钟头|多)|早上|晚上|夜里|半夜|白天|上午|下午|可能|起来|以后|之后|的时候|时候",
    re.IGNORECASE,
)
PRONOUN: Final = re.compile(
    r"\b(?:it|its|it's|this|that|these|they|them|their)\b(?! (?:safe|ok|okay|fine|possible|true))"
    r"|它|[这那](?:个|种)?病|该病|[这那]个药|^\W*那|^\W*(?:and|what about|how about)\b",
    re.IGNORECASE,
)
"""Stands for what was named before, or goes on from there."""
_GREETING: Final = re.compile(
    r"\W*(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|thanks?"
    r"|thank you|thx|ok|okay|bye|goodbye|how are you|help|test|who are you|what can you do"
    r"|what are you)?(?: (?:(?:are |r )?(?:you|u) (?:there|around)|there|doctor|everyone|all|so much|very much|a lot|you))*\W*"
    r"|\W*(?:你好|您好|嗨|哈喽|哈罗|在吗|在不在|嗯+|好的?|知道了|明白了|收到|辛苦了|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早|谢谢你?|多谢|感谢|再见|拜拜|医生|你是谁"
    r"|你会(?:做)?什么|你能(?:做|干)什么|[啊呀吗呢，、])+\W*",
    re.IGNORECASE,
)
_BLOT: Final = re.compile(r"\bx+(?:'s)?\b|x{2,}|[^\w\s'-]+", re.IGNORECASE)


@dataclass(frozen=True)
class Clause:
    """A stretch of a question: its place, and its words with the names blotted out."""

    start: int
    end: int
    words: str

    @property
    def is_question(self) -> bool:
        """Whether it begins as a question does."""
        return _QUESTION_START.search(self.words) is not None

    @property
    def may_ask(self) -> bool:
        """Whether it is a question, or a few words that may stand for one: "gout diet"."""
        asks = self.is_question or self.asks_whether or _OPEN.search(self.words) is not None
        return asks or _TELLS.search(self.words) is None

    @property
    def asks_whether(self) -> bool:
        """Whether it wants yes or no: "is ...?", 能不能."""
        return bool(_WHETHER.search(self.words) and not _OPEN.search(self.words))


def clauses(words: str) -> Iterator[Clause]:
    """The questions in a question, and what is told beside them, in their order."""
    for clause in _cut(words, 0, _CLAUSE):
        start = 0
        for found in _RUN_ON.finditer(clause.words):
            asked = clause.words[start : found.start()]
            if _QUESTION_START.search(asked):
                yield Clause(clause.start + start, clause.start + found.start(), asked)
                start = found.start()
        yield Clause(clause.start + start, clause.end, clause.words[start:])


def segments(clause: Clause) -> Iterator[Clause]:
    """The members of the lists in a clause."""
    yield from _cut(clause.words, clause.start, _JOIN)


def _cut(words: str, offset: int, boundary: re.Pattern[str]) -> Iterator[Clause]:
    start = 0
    for cut in (*boundary.finditer(words), None):
        end = len(words) if cut is None else cut.start()
        if re.search(r"\w", words[start:end]):
            while not words[start].strip():
                start += 1
            yield Clause(offset + start, offset + end, words[start:end])
        start = end if cut is None else cut.end()


def content(words: str) -> str:
    """The words that are neither names nor of the kind that every question has."""
    return " ".join(_FUNCTION_WORDS.sub(" ", _BLOT.sub(" ", words)).split())


def is_greeting(text: str) -> bool:
    """Whether a text greets, thanks, or asks what can be asked, and nothing else."""
    return re.search(r"\w", text) is not None and _GREETING.fullmatch(text) is not None


def in_short(text: str, most: int = _SHOWN) -> str:
    """The beginning of a text as a message or a table shows it: on one line.

    Args:
        text: of any length.
        most: characters of the result.
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
