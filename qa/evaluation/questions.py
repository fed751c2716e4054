"""Questions whose answers are known: which they are, and which texts answer the same question."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kg.text import normalise
from qa.corpus import Document
from qa.question import Category

CATEGORIES: Final[tuple[Category, ...]] = (
    "about disease",
    "at risk",
    "cause",
    "diagnosis and test",
    "symptom",
    "treatment",
    "other",
)
"""Of the joint-reasoning paper (section 4.1), in the order of its tables."""

CATEGORY_OF: Final[Mapping[str, Category]] = MappingProxyType(
    {
        "information": "about disease",
        "susceptibility": "at risk",
        "causes": "cause",
        "exams and tests": "diagnosis and test",
        "symptoms": "symptom",
        "treatment": "treatment",
    }
)
"""By MedQuAD's type of a question; all other types are "other"."""

CHRONIC: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Alzheimer's disease": ("alzheimer's disease", "alzheimer disease"),
        "asthma": ("asthma", "asthma in children"),
        "chronic cough": ("cough", "chronic cough"),
        "chronic kidney disease": (
            "chronic kidney disease",
            "kidney disease",
            "kidney diseases",
            "kidney failure",
        ),
        "cancer": ("colorectal cancer", "leukemia"),
        "diabetes": (
            "diabetes",
            "diabetes type 1",
            "diabetes type 2",
            "type 1 diabetes",
            "type 2 diabetes",
            "diabetes mellitus type 1",
            "diabetes mellitus type 2",
        ),
        "cardiac issues": ("heart attack", "heart failure"),
        "obesity": ("obesity", "obesity in children"),
        "osteoarthritis": ("osteoarthritis",),
        "periodontitis": (
            "gum (periodontal) disease",
            "gum disease",
            "periodontitis",
            "periodontal disease",
        ),
    }
)
"""The ten chronic diseases of the paper (section 4.1), and what MedQuAD calls them."""


@dataclass(frozen=True)
class GoldQuestion:
    """A question, and the answer that is taken to be right."""

    id: str
    """Of the document that is its answer."""
    text: str
    answer: str
    focus: str
    """What it is about, as its publisher names it."""
    category: Category
    equivalents: tuple[str, ...]
    """Ids of all documents that answer the same question, its own among them."""

    @property
    def chronic(self) -> str | None:
        """Which of the paper's ten chronic diseases it is about; None: another thing."""
        focus = self.focus.casefold().strip()
        return next((name for name, focuses in CHRONIC.items() if focus in focuses), None)


def gold_questions(documents: Iterable[Document]) -> list[GoldQuestion]:
    """The questions that the headings of documents are, in their order.

    Two documents answer the same question if their headings are the same, if they are about one
    thing and of one type, or if their texts are the same; letter case and blanks do not count.

    Args:
        documents: those without a heading are no answers to a question.
    """
    answers = [each for each in documents if each.metadata.get("heading", "").strip()]
    keys: tuple[Callable[[Document], str | tuple[str, ...]], ...] = (
        lambda document: folded(document.metadata["heading"]),
        lambda document: (normalise(document.title), document.metadata.get("category", "")),
        lambda document: folded(document.text),
    )
    groups: list[dict[str | tuple[str, ...], list[str]]] = []
    for key in keys:
        group: dict[str | tuple[str, ...], list[str]] = defaultdict(list)
        for each in answers:
            group[key(each)].append(each.id)
        groups.append(group)
    return [
        GoldQuestion(
            each.id,
            " ".join(each.metadata["heading"].split()),
            each.text,
            each.title,
            CATEGORY_OF.get(each.metadata.get("category", ""), "other"),
            tuple(
                dict.fromkeys(
                    id_
                    for key, group in zip(keys, groups, strict=True)
                    for id_ in group[key(each)]
                )
            ),
        )
        for each in answers
    ]


def folded(text: str) -> str:
    """A text without regard to blanks and the case of letters."""
    return " ".join(text.casefold().split())
