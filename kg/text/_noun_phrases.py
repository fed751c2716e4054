"""English noun phrases in a sentence, grouped as the sentence coordinates them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.text._phrase_words import ANATOMY, ATTACHING, BETWEEN, GENERIC, HEDGES, OCCASIONS, words
from kg.text._tagging import Token

_INSIDE: Final = frozenset(("noun", "adjective", "number", "gerund"))
_PLACES: Final = words(
    "in on around behind under underneath near over above below between across at along from into "
    "through inside throughout within outside against"
)
_OCCASIONAL: Final = words("at on during after before with upon in to while when")
_SIDES: Final = words("left right upper lower inner outer")
_LONGEST: Final = 12
"""Tokens of a phrase; a longer one is no name of anything."""


@dataclass
class Run:
    """Tokens ``first`` up to ``end`` of a sentence that are one phrase."""

    first: int
    end: int
    head: int
    """The noun that the phrase is about."""
    bare: bool = False
    """Only adjectives: it describes what follows."""


@dataclass
class Group:
    """Phrases that a sentence coordinates: "fever, chills and a rash"."""

    runs: list[Run] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The first token."""
        return self.runs[0].first

    @property
    def end(self) -> int:
        """After the last token."""
        return self.runs[-1].end


Chunker = Callable[[Sequence[Token]], list[tuple[int, int]]]
"""The noun phrases of a sentence, without what follows them, as ranges of its tokens."""


def chunks(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Runs of nouns and of what describes them."""
    found: list[tuple[int, int]] = []
    first: int | None = None
    for at, token in enumerate(tokens):
        inside = token.tag in _INSIDE or _qualifies(tokens, at)
        if inside and first is not None and _begins(tokens, first, at):
            found.append((first, at))
            first = at
        elif inside and first is None:
            first = at
        elif not inside and first is not None:
            found.append((first, at))
            first = None
    if first is not None:
        found.append((first, len(tokens)))
    return found


def _begins(tokens: Sequence[Token], first: int, at: int) -> bool:
    """Whether a phrase begins at a capital though no mark ends the one before it.

    So it is where a page has lost the line ends of a list: "Blurred vision Abnormal gait".
    """
    token, last = tokens[at], tokens[at - 1]
    if not token.is_capital or last.tag != "noun" or at == first:
        return False
    is_plural = last.word.endswith("s") and not last.word.endswith(("ss", "is", "us", "'s"))
    is_no_name = token.tag in ("adjective", "gerund") or token.word in GENERIC
    return is_plural or is_no_name or token.word in (last.word, tokens[first].word)


def _qualifies(tokens: Sequence[Token], at: int) -> bool:
    """Whether an adverb belongs to the adjective after it."""
    follows = tokens[at + 1].tag if at + 1 < len(tokens) else ""
    return tokens[at].tag == "adverb" and tokens[at].word.endswith("ly") and follows == "adjective"


def groups(tokens: Sequence[Token], chunker: Chunker = chunks) -> list[Group]:
    """The phrases of a sentence, coordinated ones together."""
    chunked = (_run(tokens, *chunk) for chunk in chunker(tokens))
    runs = _with_complements(tokens, [run for run in chunked if run])
    found: list[Group] = []
    for run in _with_describing(tokens, runs):
        if found and _coordinates(tokens, found[-1].end, run.first):
            found[-1].runs.append(run)
        else:
            found.append(Group([run]))
    return [whole for group in found if (whole := _whole(tokens, group)).runs]


def _run(tokens: Sequence[Token], first: int, end: int) -> Run | None:
    """A chunk without what says nothing at its ends; None if nothing is left."""
    while first < end and _is_empty(tokens[first]):
        first += 1
    while first < end and tokens[end - 1].tag in ("adverb", "determiner", "number"):
        end -= 1
    if first == end:
        return None
    bare = all(token.tag in ("adjective", "adverb", "number") for token in tokens[first:end])
    # of "difficulty becoming pregnant" nothing can go
    while not bare and tokens[end - 1].tag == "adjective" and tokens[end - 2].tag != "gerund":
        end -= 1
    return Run(first, end, end - 1, bare)


def _is_empty(token: Token) -> bool:
    return token.tag in ("determiner", "adverb", "number") or token.word in HEDGES


def _with_complements(tokens: Sequence[Token], runs: Sequence[Run]) -> list[Run]:
    """Runs joined with those that belong to them: "loss of appetite", "pain in the chest"."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and not last.bare and _completes(tokens, last, run):
            last.end = run.end
        else:
            joined.append(run)
    return joined


def _completes(tokens: Sequence[Token], run: Run, other: Run) -> bool:
    between = [t for t in tokens[run.end : other.first] if t.tag not in ("determiner", "number")]
    between = [t for t in between if t.word not in HEDGES and t.tag != "adverb"]
    if other.end - run.first > _LONGEST or not between:
        # "taking the pill": nothing but a determiner between a gerund and its object
        return not between and tokens[run.head].tag == "gerund" and run.end < other.first
    if len(between) > 1:
        return False
    link, head, object_ = between[0].word, tokens[run.head], tokens[other.head].word
    if link == "of":
        return head.word not in GENERIC or head.word in ("loss", "lack", "history", "use")
    at_place = link in _PLACES and object_ in ANATOMY
    at_place = at_place and (head.word not in GENERIC or head.word in ("changes", "problems"))
    on_occasion = link in _OCCASIONAL and object_ in OCCASIONS
    of_gerund = head.tag == "gerund" and between[0].tag == "preposition"
    of_gerund = of_gerund and link not in ("by", "as")
    of_gerund = of_gerund or (link == "up" and head.word.endswith("ing"))
    return at_place or on_occasion or of_gerund or head.word in ATTACHING.get(link, ())


def _with_describing(tokens: Sequence[Token], runs: Sequence[Run]) -> Iterator[Run]:
    """Runs of adjectives joined with what they describe: "red, itchy or watery eyes"."""
    waiting: Run | None = None
    for each in runs:
        run = each
        if waiting and _shares(tokens, waiting, run):
            run = Run(waiting.first, run.end, run.head, run.bare)
        waiting = run if run.bare else None
        if not run.bare:
            yield run


def _shares(tokens: Sequence[Token], waiting: Run, run: Run) -> bool:
    """Whether adjectives are coordinated with those of the next run.

    A comma before "and" needs another before it: "red, swollen, and painful joints", but not
    "... can be vague, and gout ...".
    """
    between = {token.tag for token in tokens[waiting.end : run.first]}
    listed = any(token.tag == "," for token in tokens[waiting.first : waiting.end])
    is_clause = {",", "conjunction"} <= between and not listed
    return not is_clause and _coordinates(tokens, waiting.end, run.first)


def _coordinates(tokens: Sequence[Token], end: int, first: int) -> bool:
    """Whether only a comma, a conjunction and words that say nothing stand between."""
    between = tokens[end:first]
    marks = [token for token in between if token.tag in (",", "conjunction", "/")]
    rest = [token for token in between if token not in marks]
    return bool(marks) and all(map(_may_stand_between, rest))


def _may_stand_between(token: Token) -> bool:
    said_nothing = token.tag in ("determiner", "number") or token.word in HEDGES
    return said_nothing or token.word in BETWEEN or token.word.endswith("ly")


def _whole(tokens: Sequence[Token], group: Group) -> Group:
    """The group with places of the body put back to what they belong to.

    "heart and lung disease" is one phrase, and so is "pain in the back, sides and groin".
    """
    runs: list[Run] = []
    for run in group.runs:
        last = runs[-1] if runs else None
        if last and run.end - last.first <= _LONGEST:
            if _is_place(tokens, last) and tokens[run.first].word in ANATOMY:
                runs[-1] = Run(last.first, run.end, run.head)
                continue
            if _is_place(tokens, run) and _has_place(tokens, last):
                last.end = run.end
                continue
        runs.append(run)
    return Group([run for run in runs if run.end - run.first <= _LONGEST])


def _is_place(tokens: Sequence[Token], run: Run) -> bool:
    """Whether a run has but names of places of the body."""
    return tokens[run.head].word in ANATOMY and all(
        token.word in ANATOMY | _SIDES for token in tokens[run.first : run.end]
    )


def _has_place(tokens: Sequence[Token], run: Run) -> bool:
    """Whether a run says something of the place that it ends in: "yellow eyes" and skin."""
    return run.end - run.first > 1 and tokens[run.end - 1].word in ANATOMY
