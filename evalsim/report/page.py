"""Renders a report as one page that asks nobody for anything."""

import json
import math
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Final, get_args
from urllib.parse import urlencode

import jinja2
from markupsafe import Markup

from cypher.translation import spoken, translate
from evalsim.agents.director import Reason
from evalsim.briefs import Metric
from evalsim.case import Attribute, Difficulty, Language, Sex, Task
from evalsim.dialogue import EndReason, Flag, Intent, Supply, Topic, Violation
from evalsim.metrics import Bubble
from evalsim.plan import Manner, Speaker, Style
from evalsim.report.tables import (
    Count,
    Estimate,
    Panels,
    Section,
    Table,
    is_number,
    plain,
    value_name,
)
from evalsim.report.transcripts import RunLabel, Transcripts, packed

_TRANSLATED: Final = re.compile(r'\b_\("([^"]+)"')
"""What the script and the template say."""
_WIDTH: Final = 120
"""Of the axis of a score, in pixels."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 222, 18, 140
"""Where the panels of bubbles, of 240 by 170 pixels, have their axes: the largest bubble fits."""
_LARGEST: Final = 15.0
"""Radius of the largest bubble, in pixels."""
_TICKS: Final = 6
_LEVELS: Final = (0, 0.25, 0.5, 0.75, 1)


@dataclass(frozen=True)
class Panel:
    """One doctor's bubbles, placed."""

    name: str
    description: str
    """What it shows, for those who do not see it."""
    levels: Sequence[tuple[float, str]]
    ticks: Sequence[tuple[float, str]]
    circles: Sequence[tuple[float, float, float, str]]
    means: str
    """Points of the line through the mean scores."""


def render(
    title: str,
    cards: Sequence[tuple[str, str]],
    alarms: Sequence[str],
    sections: Sequence[Section],
    transcripts: Transcripts,
    *,
    labels: Mapping[str, RunLabel],
) -> str:
    """The page, in the language that is spoken.

    Args:
        title: of the report.
        cards: figures at the top, and what each is.
        alarms: sentences on what to look at first.
        sections: in their order.
        transcripts: of all dialogues.
        labels: what each run and its setting are called, by the run's id.
    """
    folder = files("evalsim.report")
    script, style = ((folder / name).read_text("utf-8") for name in ("page.js", "page.css"))
    index = transcripts.table(labels)
    index["words"] = words(script, index)
    blocks = [("index", packed(json.dumps(index, ensure_ascii=False)))]
    blocks += [(f"block-{number}", block) for number, block in enumerate(transcripts.blocks)]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            alarms=alarms,
            blocks=blocks,
            cards=cards,
            dialogues=len(transcripts),
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=_hash(script),
            sections=sections,
            spoken=spoken().code,
            style=Markup(style),  # noqa: S704 - our own file
            style_hash=_hash(style),
            title=title,
        )
    )


def words(script: str, index: Mapping[str, object]) -> dict[str, str]:
    """What the script says, and the values of closed lists, each with its translation.

    Args:
        script: names its texts as ``_("…")``.
        index: of the transcripts; kinds, areas and the like that it has are translated where a
            language has them.
    """
    texts = {*_TRANSLATED.findall(script), *closed(), ", ", "; ", ": ", "judged", "cut off"}
    cases = index.get("cases")
    for case in cases if isinstance(cases, list) else []:
        texts |= {case["kind"], case["area"]}
    return {text: value_name(text) for text in sorted(texts - {""})}


def closed() -> set[str]:
    """The words of closed lists that a dialogue is told in."""
    lists = (
        *(Attribute, Difficulty, Flag, Intent, Manner, Metric, Reason, Sex, Speaker, Style),
        *(Task, Topic),
    )
    texts = {word for each in lists for word in get_args(each)}
    texts |= {each.value for each in EndReason}
    texts |= {*get_args(Violation.model_fields["rule"].annotation)}
    texts |= {*get_args(Supply.model_fields["answer"].annotation)}
    return texts | {*get_args(Language), "graph", "wholly", "not wholly", "not this patient's"}


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("evalsim", "report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "address": lambda count: f"#dialogues&{urlencode(count.filters)}",
        "along": lambda score: f"{_WIDTH * min(max(score, 0.0), 1.0):.1f}",
        "mean": lambda each: plain(
            Estimate(each.value._replace(low=math.nan), signed=each.signed)
        ),
        "numeric": _numeric,
        "panels": _panels,
        "plain": plain,
        "range": _range,
        "ranged": lambda each: math.isfinite(each.value.low),
    }
    environment.tests |= {
        "count_of": lambda each: isinstance(each, Count),
        "estimate": lambda each: isinstance(each, Estimate),
        "number_cell": is_number,
    }
    environment.globals["_"] = translate
    return environment


def _hash(text: str) -> str:
    """As a content security policy names what may run."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _range(each: Estimate) -> str:
    sign = "+" if each.signed else ""
    return f"[{each.value.low:{sign}.3f}, {each.value.high:{sign}.3f}]"


def _numeric(table: Table, at: int) -> bool:
    """Whether a column is of numbers."""
    return at > 0 and any(is_number(row[at]) for row in table.rows)


def _panels(picture: Panels) -> list[Panel]:
    """A panel for each doctor, on the same axes."""
    if not picture.bubbles:
        return []
    last_turn = max(each.turns for each in picture.bubbles)
    most_dialogues = max(each.dialogues for each in picture.bubbles)
    names = short_names(sorted({each.doctor for each in picture.bubbles}))
    return [
        _panel(
            short,
            [each for each in picture.bubbles if each.doctor == name],
            last_turn,
            most_dialogues,
        )
        for name, short in names.items()
    ]


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Names of models without who made them, where no two are alike then."""
    short_name_of = {name: name.rsplit("/", 1)[-1] for name in names}
    counts = Counter(short_name_of.values())
    return {name: short if counts[short] == 1 else name for name, short in short_name_of.items()}


def _panel(name: str, bubbles: Sequence[Bubble], last_turn: int, most_dialogues: int) -> Panel:
    def x(turns: int) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * (turns - 1) / max(1, last_turn - 1), 1)

    def y(score: float) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * score, 1)

    means = []
    for turns in sorted({each.turns for each in bubbles}):
        bubbles_here = [each for each in bubbles if each.turns == turns]
        count = sum(each.dialogues for each in bubbles_here)
        mean = sum(each.score * each.dialogues for each in bubbles_here) / count
        means.append((turns, mean, count))
    circle_message = "{count} dialogues of {turns} turns with a score of {score}"
    circles = [
        (
            x(each.turns),
            y(each.score),
            round(max(1.5, _LARGEST * math.sqrt(each.dialogues / most_dialogues)), 1),
            translate(
                circle_message, count=each.dialogues, turns=each.turns, score=f"{each.score:.2f}"
            ),
        )
        for each in bubbles
    ]
    mean_message = "after {turns} turns {score} on average, {count} dialogues"
    sentences = [
        translate(mean_message, turns=turns, score=f"{mean:.2f}", count=count)
        for turns, mean, count in means
    ]
    ticks = range(1, last_turn + 1, max(1, math.ceil(last_turn / _TICKS)))
    return Panel(
        name=f"{name} (n = {sum(each.dialogues for each in bubbles):,})",
        description=translate("; ").join(sentences),
        levels=[(y(level), f"{level:g}") for level in _LEVELS],
        ticks=[(x(tick), str(tick)) for tick in ticks],
        circles=circles,
        means=" ".join(f"{x(turns)},{y(mean)}" for turns, mean, _ in means),
    )
