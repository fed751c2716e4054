import json
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow.parquet as pq
import pytest

from kg.errors import ConfigurationError, LinkingError
from kg.linking.umls import UmlsIndex, candidate_generator, entity_linker
from kg.linking.umls.extra import import_extra
from kg.linking.umls.ngrams import count_ngrams, load_vectorizer, vectorizer_of
from kg.progress import Silent
from kg.text.canonical import canonical

spacy = pytest.importorskip("spacy", reason="the extra 'link' is not installed")


class Generator(Protocol):
    """scispaCy's candidate generator."""

    def __call__(self, mention_texts: list[str], k: int) -> list[list[Any]]: ...


@pytest.fixture(scope="module")
def generator(index: UmlsIndex) -> Generator:
    found: Generator = candidate_generator(index.folder)
    return found


def best(generator: Generator, mention: str) -> tuple[str, float]:
    [candidates] = generator([mention], 10)
    scored = [(max(c.similarities), c.concept_id) for c in candidates]
    score, cui = max(scored, default=(0.0, ""))
    return cui, round(score, 3)


@pytest.mark.parametrize(
    ("mention", "cui"),
    [
        ("gouty arthritis", "C0018099"),
        ("Arthritis, Gouty", "C0018099"),
        ("type 1 diabetes mellitus", "C0011854"),
        ("Type II Diabetes Mellitus", "C0011860"),
        ("coughs", "C0010200"),
        ("咳嗽", "C0010200"),
    ],
)
def test_name_in_any_order_and_inflection_is_a_whole_match(
    mention: str, cui: str, generator: Generator
) -> None:
    found, score = best(generator, mention)
    if mention != "coughs":  # 'coughing' is another word
        assert score == 1.0
    assert found == cui


def test_misspelt_name_is_near(generator: Generator) -> None:
    cui, score = best(generator, "gouty arthritits")
    assert cui == "C0018099"
    assert 0.6 < score < 1


@pytest.mark.parametrize("mention", ["", "🙂", "xqzj", "\x00"])
def test_mention_without_a_known_ngram_has_no_candidate(
    mention: str, generator: Generator
) -> None:
    assert generator([mention, "gout"], 5)[0] == []


def test_name_of_two_concepts_gives_both(generator: Generator) -> None:
    [candidates] = generator(["cold"], 10)
    whole = {c.concept_id for c in candidates if max(c.similarities) > 0.999}
    assert whole == {"C0009443", "C0009264", "C0024117"}


def test_index_has_no_pickle(index: UmlsIndex) -> None:
    kinds = {path.suffix for path in index.folder.iterdir()}
    assert kinds == {".parquet", ".jsonl", ".json", ".hnsw", ".dat"}


def test_names_that_share_their_words_stand_once(index: UmlsIndex) -> None:
    names = pq.read_table(index.folder / "spellings.parquet")["name"].to_pylist()
    keys = [" ".join(sorted(canonical(name).split())) for name in names]
    assert len(set(keys)) == len(keys)
    assert {"Gout", "Gouty arthritis"} <= set(names)
    assert "Arthritis, gouty" not in names


def test_knowledge_base_is_ascii_json_lines(index: UmlsIndex) -> None:
    lines = (index.folder / "concepts.jsonl").read_text("ascii").splitlines()
    concepts = {row["concept_id"]: row for row in map(json.loads, lines)}
    assert concepts["C0010200"] == {
        "concept_id": "C0010200",
        "canonical_name": "Coughing",
        "aliases": ["Coughing", "咳嗽"],
        "types": ["T184"],
    }


def test_weights_are_those_that_scikit_learn_fits() -> None:
    names = ["Gouty arthritis", "Gout", "Type II diabetes", "咳嗽", "coughs and colds"]
    ours = vectorizer_of(count_ngrams(names, Silent()))
    theirs = import_extra("sklearn.feature_extraction.text").TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 3), preprocessor=canonical, dtype=np.float32
    )
    fitted = theirs.fit_transform(names).toarray()
    given = ours.transform(names).toarray()
    assert np.allclose(fitted, given[:, : fitted.shape[1]])
    assert not given[:, fitted.shape[1] :].any()


def test_kept_weights_are_the_same(tmp_path: Path) -> None:
    table = count_ngrams(["Gouty arthritis", "Gout"], Silent())
    pq.write_table(table, tmp_path / "ngrams.parquet")
    again = load_vectorizer(tmp_path / "ngrams.parquet").transform(["gout"])
    assert (again != vectorizer_of(table).transform(["gout"])).nnz == 0


def test_entity_linker_of_scispacy_links_entities(index: UmlsIndex) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "DISEASE", "pattern": "gout"}])
    document = entity_linker(index.folder)(nlp("He has gout."))
    assert [entity._.kb_ents for entity in document.ents] == [[("C0018099", pytest.approx(1.0))]]


def test_pipe_is_made_from_plain_configuration(index: UmlsIndex) -> None:
    import_extra("kg.linking.umls.spacy_pipe")
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "SYMPTOM", "pattern": "fever"}])
    nlp.add_pipe("medkg_umls", config={"folder": str(index.folder), "threshold": 0.8})
    again = spacy.blank("en").from_config(nlp.config)
    assert again.pipe_names == ["entity_ruler", "medkg_umls"]
    assert nlp("no fever").ents[0]._.kb_ents[0][0] == "C0015967"


def test_ngrams_that_no_name_has_make_a_mention_less_similar(generator: Generator) -> None:
    _, score = best(generator, "zqx gout")
    assert score < 0.8


def test_folder_without_an_index_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(LinkingError, match="missing, so there is no index of UMLS here; make it"):
        candidate_generator(tmp_path)


def test_missing_extra_names_the_command() -> None:
    with pytest.raises(ConfigurationError, match=r"install it with: pip install 'medkg\[link\]'"):
        import_extra("no_such_library")
