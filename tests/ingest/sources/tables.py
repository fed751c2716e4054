"""A mapped table for tests: one row on gout, and files to put rows into."""

from pathlib import Path

from ingest.sources import TableSource

HEADER = "disease,name,relation,symptom,label,often\n"
GOUT = "MONDO:0005393,gout,shows,HP:0001369,Arthritis,85\n"


def mapped(file: Path, **changes: object) -> TableSource:
    return TableSource.model_validate(
        {
            "kind": "table",
            "name": "clinic",
            "file": file,
            "head": {"id": "disease", "name": "name", "type": "Disease"},
            "relation": {"column": "relation", "values": {"shows": "HAS_SYMPTOM"}},
            "tail": {"id": "symptom", "name": "label", "type": "Symptom"},
            "frequency": {"column": "often", "unit": "percent"},
            **changes,
        }
    )


def write(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
