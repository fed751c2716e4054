"""A linker of few names, and what the extractor finds with it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from ingest.extraction.cues import Cues
from ingest.extraction.extract import OPTIONS, Extracted, extract
from kg.linking import Linker, Names
from kg.progress import Silent

ROWS = (
    ("DRUGBANK:DB00437", "Drug", "allopurinol", "en"),
    ("DRUGBANK:DB00437", "Drug", "别嘌醇", "zh"),
    ("DRUGBANK:DB01394", "Drug", "colchicine", "en"),
    ("DRUGBANK:DB00571", "Drug", "propranolol", "en"),
    ("DRUGBANK:DB00571", "Drug", "普萘洛尔", "zh"),
    ("DRUGBANK:DB00682", "Drug", "warfarin", "en"),
    ("DRUGBANK:DB00945", "Drug", "aspirin", "en"),
    ("DRUGBANK:DB00945", "Drug", "阿司匹林", "zh"),
    ("DRUGBANK:DB00331", "Drug", "metformin", "en"),
    ("DRUGBANK:DB00678", "Drug", "losartan", "en"),
    ("MONDO:0005393", "Disease", "gout", "en"),
    ("MONDO:0005393", "Disease", "痛风", "zh"),
    ("MONDO:0004979", "Disease", "asthma", "en"),
    ("MONDO:0004979", "Disease", "哮喘", "zh"),
    ("MONDO:0005044", "Disease", "hypertension", "en"),
    ("MONDO:0005015", "Disease", "diabetes", "en"),
    ("MONDO:0004619", "Disease", "measles", "en"),
    ("HP:0000988", "Symptom", "rash", "en"),
    ("HP:0000988", "Symptom", "皮疹", "zh"),
    ("HP:0001945", "Symptom", "fever", "en"),
    ("HP:0002018", "Symptom", "nausea", "en"),
    ("HP:0002018", "Symptom", "恶心", "zh"),
    ("HP:0002829", "Symptom", "joint pain", "en"),
    ("HP:0012735", "Symptom", "cough", "en"),
    ("HP:0002315", "Symptom", "headache", "en"),
)

Said = tuple[str, str, str]
Extract = Callable[..., Extracted]


@pytest.fixture(scope="session")
def linker() -> Linker:
    columns = zip(*ROWS, strict=True)
    table = pa.table(dict(zip(("id", "type", "name", "language"), columns, strict=True)))
    return Linker.of_names(Names.of_table(table), OPTIONS)


@pytest.fixture(scope="session")
def cues() -> Cues:
    return Cues.read()


@pytest.fixture
def extract_file(tmp_path: Path, linker: Linker, cues: Cues) -> Extract:
    """Extracts from a file of this name and text."""

    def run(text: str, name: str = "exam.txt") -> Extracted:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return extract([path], linker, cues, Silent())

    return run


def said(extracted: Extracted) -> list[Said]:
    """Head, relation and tail of the candidates, in the order of the alphabet."""
    return sorted((t.head, t.relation, t.tail) for t in extracted.triples)


def left_out(extracted: Extracted) -> Counter[str]:
    return extracted.dropped
