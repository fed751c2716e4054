"""What a question is: its parts, and what each may mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, Self

from kg.errors import QuestionError
from qa.emergencies import Emergency
from qa.intent import End, Intent, Kind
from qa.subjects import Fit, Subject

Category = Literal[
    "about disease",
    "at risk",
    "cause",
    "diagnosis and test",
    "symptom",
    "treatment",
    "other",
]
"""Of a question, as the joint-reasoning paper has them (section 4.1)."""

Whether = Literal["is", "may", "could"]
"""What a question that wants yes or no asks."""

_CATEGORIES: Final[Mapping[Kind, Category]] = MappingProxyType(
    {
        "about": "about disease",
        "at risk": "at risk",
        "cause": "cause",
        "diagnosis": "diagnosis and test",
        "symptom": "symptom",
        "treatment": "treatment",
        "prevention": "other",
        "outlook": "other",
        "other": "other",
    }
)


class NoEntityError(QuestionError):
    """A question names nothing that the graph knows."""


class NoRelationError(QuestionError):
    """A question asks for nothing that a relation of the graph says."""


@dataclass(frozen=True)
class Triple:
    """``<h, r, ?>``, ``<?, r, t>`` or ``<h, ?, t>``: the part that is None is asked for."""

    head: str | None
    """Id of an entity."""
    relation: str | None
    """Of the vocabulary."""
    tail: str | None
    """Id of an entity."""

    def __post_init__(self) -> None:
        if [self.head, self.relation, self.tail].count(None) != 1:
            raise ValueError(f"{self}: one of the three parts must be None, and only one")

    @property
    def sought(self) -> End:
        """The part that is asked for."""
        return "head" if self.head is None else "tail" if self.tail is None else "relation"

    def __str__(self) -> str:
        return f"<{self.head or '?'}, {self.relation or '?'}, {self.tail or '?'}>"


DIFFERENTIAL: Final = "symptom.differential"
"""Query for the diseases that several findings together point to."""


@dataclass(frozen=True)
class Reading:
    """One thing that a part of a question may mean."""

    heading: str
    """What answers it, in the plural."""
    subjects: tuple[Subject, ...]
    """What it is about."""
    triples: tuple[Triple, ...]
    """Each a way to say it in the relations of the graph; their answers count together."""
    answer_types: tuple[str, ...] = ()
    """Node types of what answers it; none: any."""
    query: str | None = None
    """Name in the catalogue; None: only the triples answer it."""
    arguments: Mapping[str, Subject] = field(default_factory=dict)
    """Of the query."""
    relations: tuple[str, ...] = ()
    """Where it asks whether something is said of two things: what the question says of them."""
    instead: bool = False
    """Whether it is not what the words say, and answers where nothing is known of that."""
    whether: Whether | None = None
    """Of what wants yes or no: whether it asks what is so, what somebody may do, or what a finding
    could be."""

    @classmethod
    def of(cls, fit: Fit, *, instead: bool = False) -> Self:
        """The query and the triples of an intent; two things are asked about in both directions."""
        intent = fit.intent
        subjects = tuple(sorted(fit.subjects.values(), key=lambda s: (s.start, s.id)))
        return cls(
            intent.heading,
            subjects,
            tuple(_triples(intent, [subject.id for subject in subjects])),
            intent.answer_types,
            intent.query,
            fit.subjects if intent.query else {},
            instead=instead,
        )


def _triples(intent: Intent, ids: Sequence[str]) -> Iterator[Triple]:
    for gap in intent.gaps:
        if gap.sought == "tail":
            yield Triple(ids[0], gap.relation, None)
        elif gap.sought == "head":
            yield Triple(None, gap.relation, ids[0])
        else:
            yield Triple(ids[0], None, ids[1])
            yield Triple(ids[1], None, ids[0])


@dataclass(frozen=True)
class Part:
    """One of the things that a question asks."""

    text: str
    """The words that it was read from; Traditional characters are Simplified."""
    subjects: tuple[Subject, ...]
    readings: tuple[Reading, ...]
    """The likeliest first; none where it could not be read."""
    kind: Kind
    problem: QuestionError | None = None
    """Why no relation of the graph answers it."""
    is_general: bool = False
    """Whether its words ask for nothing that is known, and it is read as asking what a thing is."""
    in_general: tuple[Reading, ...] = ()
    """What is answered instead where no text says what no relation of the graph says."""
    is_described: bool = False
    """Whether it names no disease, and describes what is typical of that which it is read about."""

    read_as: str = ""
    """Heading of the intent whose examples its words are like; empty where a pattern reads them."""
    unsaid: str = ""
    """Heading of what it asks for and no relation of the graph says."""

    @property
    def asks_for(self) -> tuple[str, ...]:
        """What tells it from other parts, wherever in the question they stand."""
        ids = (s.id for reading in self.readings for s in reading.subjects)
        return (*(reading.heading for reading in self.readings), *ids, str(self.problem or ""))


@dataclass(frozen=True)
class Question:
    """A question as it was read."""

    text: str
    language: str
    """``zh`` where it has a Chinese character, else ``en``."""
    parts: tuple[Part, ...]
    """At least one, but of a greeting or an emergency."""
    fit: float
    """How well it fits the graph, in [0, 1]: of the letters of its content words, the share in
    names that the graph has. Words that ask count for neither, other words half. 0 where it names
    nothing of the graph."""
    greeting: bool = False
    """Whether it greets or asks what can be asked, and nothing else; then it has no parts."""
    emergency: Emergency | None = None
    """What needs help before an answer; then it has no parts."""

    @property
    def kind(self) -> Kind:
        """What it asks for, by its first part that was read."""
        read = (part for part in self.parts if part.readings)
        return next((part.kind for part in (*read, *self.parts)), "other")

    @property
    def category(self) -> Category:
        """The joint-reasoning paper's category of the question."""
        return _CATEGORIES[self.kind]

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What its parts are about, each once: what the next question may leave unsaid."""
        return tuple(dict.fromkeys(s for part in self.parts for s in part.subjects))
