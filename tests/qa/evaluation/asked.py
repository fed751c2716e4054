"""Questions, cases and a small MedQuAD that tests make."""

from pathlib import Path

from qa.corpus import Document
from qa.evaluation.cases import Case, Said
from qa.evaluation.questions import GoldQuestion
from qa.generation.extractive import EXTRACTIVE
from qa.intent import Kind
from qa.question import Category
from qa.selection import Asked, Option
from qa.subgraph import Fact
from tests.ingest.sources.test_medquad import corpus
from tests.ingest.sources.test_medquad import document as file_of_medquad

ANSWERS = {
    "gout": {
        "symptoms": "Gout brings arthritis and fever. The big toe hurts at night.",
        "treatment": "Gout is treated with colchicine. Icing helps the joint.",
        "causes": "Gout comes from hyperuricemia, that is too much uric acid.",
    },
    "asthma": {
        "symptoms": "Asthma brings wheezing and a cough. Some people have fever.",
        "treatment": "Asthma is treated with an inhaler every day.",
        "causes": "Asthma comes from allergies and from smoke.",
    },
}


def answer(
    identity: str,
    heading: str,
    text: str,
    *,
    title: str = "Gout",
    category: str = "symptoms",
) -> Document:
    metadata = {"heading": heading, "category": category}
    return Document(identity, title, text, "medquad", "en", metadata)


def question(
    text: str = "What are the symptoms of gout ?",
    gold: str = "Gout brings fever.",
    *,
    identity: str = "d1",
    focus: str = "Gout",
    category: Category = "symptom",
) -> GoldQuestion:
    return GoldQuestion(identity, text, gold, focus, category, (identity,))


def option(text: str, *, title: str = "Gout", kind: Kind = "symptom") -> Option:
    return Option(text, title, kind)


def case(*options: Option, subgraph: str = "gout Fever Arthritis", identity: str = "d1") -> Case:
    return Case(
        identity,
        {EXTRACTIVE: options},
        {},
        Asked(
            "What are the symptoms of gout ?",
            "symptom",
            ("gout", "Podagra"),
            (Fact(("Fever", "发热"), 0.1), Fact(("Arthritis",), 0.5)),
        ),
        2 if subgraph else 0,
        subgraph,
        "gout: symptoms: Fever, Arthritis.",
        {
            "weighted": Said("Gout hurts.", "Gout"),
            "rouge-l": Said("Gout swells.", "Gout"),
            "rank": Said("Gout burns.", "Gout"),
        },
    )


def medquad(folder: Path) -> Path:
    """Two diseases with three questions each."""
    asked = {
        "symptoms": "What are the symptoms of {} ?",
        "treatment": "What are the treatments for {} ?",
        "causes": "What causes {} ?",
    }
    files = [
        file_of_medquad(
            focus=focus,
            number=f"000000{at}",
            pairs="".join(
                f'<QAPair pid="{n}"><Question qid="000000{at}-{n}" qtype="{kind}">'
                f"{asked[kind].format(focus)}</Question><Answer>{text}</Answer></QAPair>"
                for n, (kind, text) in enumerate(answers.items(), 1)
            ),
        )
        for at, (focus, answers) in enumerate(ANSWERS.items(), 1)
    ]
    folder.mkdir(exist_ok=True)
    corpus(folder, *files)
    return folder
