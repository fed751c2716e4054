"""The tokens by which BM25 compares a question with a text, in English and Chinese.

English: the words of ``kg.text.words``, which keep numbers and signs ("type 1", "CD4+"), folded,
without function words and without a plural's ending. Chinese: the words that jieba's dictionary and
the graph's own names segment a text into, in Simplified characters, and the shorter words within
long ones, so that 鼻咽癌 is found by 鼻咽 too.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from kg.text.spelling import simplified
from kg.text.words import HAN, POSSESSIVE, surfaces

if TYPE_CHECKING:
    from rjieba import Jieba

RULES: Final = 1
"""Number of these rules; another one where a text has other tokens than before."""

_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_POSSESSIVE: Final = re.compile(f"{POSSESSIVE}s?$")
_SHORTEST_NAME: Final = 2
_LONGEST_NAME: Final = 10
"""Han characters of a name that is one word; longer ones are phrases of words that texts vary."""
_SHORTEST_PLURAL: Final = 4

_ENGLISH: Final = (
    "a an the this that these those it its they them their he she his her him i you your we our us "
    "my me who whom which what when where how why there here of in on at to for from by with about "
    "into as than then and or but if so is are was were be been being am do does did doing have has "
    "had having can could may might must shall should will would also such any some s"
)
_CHINESE: Final = (
    "的 了 是 有 在 和 与 及 或 等 也 都 就 而 于 对 为 被 把 从 到 由 以 之 其 这 那 该 此 个 些 吗 呢 吧 啊 么 "
    "什么 怎么 怎样 如何 哪些 哪 哪里 为什么 多少 几 我 你 您 他 她 它 我们 你们 他们 会 能 可以 可 要 应该 请问"
)
_FUNCTION_WORDS: Final = frozenset(f"{_ENGLISH} {_CHINESE}".split())
"""Words that say nothing of what a text is about; no numbers, no "no" and "not"."""


class _Simplified(dict[int, str]):
    """The Simplified form of each Han character that was asked for, as ``str.translate`` asks."""

    def __missing__(self, character: int) -> str:
        self[character] = simple = simplified(chr(character))
        return simple


class Tokenizer:
    """Cuts texts into tokens.

    Args:
        names: Chinese names that are one word each, such as those of the graph.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._simplified = _Simplified()
        runs = (run for name in names for run in _HAN_RUN.findall(name))
        usable = (run for run in runs if _SHORTEST_NAME <= len(run) <= _LONGEST_NAME)
        self.names: tuple[str, ...] = tuple(
            sorted({run.translate(self._simplified) for run in usable})
        )

    @classmethod
    def read(cls, path: Path) -> Self:
        """The tokenizer that ``write`` kept."""
        tokenizer = cls()
        tokenizer.names = tuple(path.read_text("utf-8").splitlines())
        return tokenizer

    def write(self, path: Path) -> None:
        """Keep it in a file."""
        path.write_text("".join(f"{name}\n" for name in self.names), "utf-8")

    @cached_property
    def id(self) -> str:
        """The same for two tokenizers that give every text the same tokens."""
        names = hashlib.sha256("\n".join(self.names).encode()).hexdigest()
        return f"{RULES}-{names[:16]}"

    @cached_property
    def _jieba(self) -> "Jieba":
        from rjieba import Jieba  # noqa: PLC0415 - 0.3 s that an English text need not wait

        jieba = Jieba()
        for name in self.names:
            if not jieba.has_word(name):
                jieba.add_word(name, None, None)
        return jieba

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text, in its order, each as often as it is there."""
        folded = unicodedata.normalize("NFKC", text).casefold()
        if folded.isascii():
            return _english(folded)
        tokens: list[str] = []
        position = 0
        for run in _HAN_RUN.finditer(folded):
            tokens += _english(folded[position : run.start()])
            words = self._jieba.cut_for_search(run[0].translate(self._simplified))
            tokens += (word for word in words if word not in _FUNCTION_WORDS)
            position = run.end()
        return tokens + _english(folded[position:])


def _english(text: str) -> list[str]:
    words = (_POSSESSIVE.sub("", word) for word in surfaces(text))
    return [_singular(word) for word in words if word not in _FUNCTION_WORDS]


def _singular(word: str) -> str:
    """A word without the ending of a plural (Harman 1991, "How effective is suffixing?", table 1)."""
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else f"{word[:-3]}y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]
