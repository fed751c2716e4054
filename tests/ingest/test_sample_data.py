"""The sample that medkg brings is medicine that people will read: its rules, file by file."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest.sources.sample.source import SampleSource, read
from kg.progress import Silent
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES
from tests.experiments.names import REASONS, WANTED
from tests.experiments.names import page as names_page
from tests.ingest.public_names import (
    Names,
    exact_cuis,
    hpo_ids,
    medquad_answers,
    medquad_texts,
    names_of_ids,
    words,
)
from tests.ingest.sample_files import (
    SAMPLE,
    Concept,
    Name,
    Page,
    Thing,
    Unnamed,
    names,
    page,
    things,
    unnamed,
)

TOLD_OF_DISEASES = {
    *("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR", "DIAGNOSED_BY"),
    *("TREATED_BY", "PREVENTED_BY", "COMPLICATED_BY"),
}
TOLD_OF_DRUGS = {
    *("INDICATED_FOR", "CONTRAINDICATED_FOR", "HAS_PRECAUTION", "HAS_ADVERSE_REACTION"),
}
HEADINGS = [
    *("Overview", "Symptoms", "Causes", "Risk factors"),
    *("Diagnosis", "Treatment", "Prevention", "When to see a doctor"),
]
TYPE_OF_PREFIX = {"MONDO": "Disease", "HP": "Symptom", "DRUGBANK": "Drug"}
SHORTEST_SECTION = 20
"""Words."""
MOST_BRANDS = 5
"""Of a drug in a language."""
LONGEST_SHARED_RUN = 7
"""Words in a row that a page and a text it cites may have in common."""


@pytest.fixture(scope="module")
def diseases() -> list[Thing]:
    return things("diseases", "Disease")


@pytest.fixture(scope="module")
def drugs() -> list[Thing]:
    return things("drugs", "Drug")


@pytest.fixture(scope="module")
def everything(diseases: list[Thing], drugs: list[Thing]) -> list[Thing]:
    return diseases + drugs


@pytest.fixture(scope="module")
def concepts(everything: list[Thing]) -> list[Concept]:
    return [concept for thing in everything for concept in thing.concepts]


@pytest.fixture(scope="module")
def other_names() -> list[Name]:
    return names()


@pytest.fixture(scope="module")
def explained() -> list[Unnamed]:
    return unnamed()


@pytest.fixture(scope="module")
def said(shared_data: Path) -> Names:
    return names_of_ids(shared_data)


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [page(path) for path in sorted((SAMPLE / "pages").glob("*.md"))]


@pytest.fixture(scope="module")
def answers(shared_data: Path) -> dict[str, str]:
    return medquad_answers(shared_data)


def untold(things: list[Thing], relations: set[str]) -> list[tuple[str, set[str]]]:
    told = [(thing.file, {relation for relation, _, _ in thing.items}) for thing in things]
    return [(file, relations - given) for file, given in told if relations - given]


def ambiguous(concepts: list[Concept], key: Callable[[Concept], str | None]) -> list[set[str]]:
    """What is said of concepts that share a key, where it is more than one thing."""
    forms: dict[str, set[str]] = defaultdict(set)
    for c in concepts:
        if (shared := key(c)) is not None:
            forms[shared].add(f"{c.type} {c.id} {c.en} {c.zh}")
    return [form for form in forms.values() if len(form) > 1]


def runs(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    columns = (found[start:] for start in range(LONGEST_SHARED_RUN + 1))
    return set(zip(*columns, strict=False))


def test_sample_has_sixty_diseases_and_forty_drugs(
    diseases: list[Thing], drugs: list[Thing]
) -> None:
    assert len(diseases) >= 60
    assert len(drugs) >= 40


def test_every_disease_and_drug_tells_what_is_asked_of_it(
    diseases: list[Thing], drugs: list[Thing]
) -> None:
    assert untold(diseases, TOLD_OF_DISEASES) == []
    assert untold(drugs, TOLD_OF_DRUGS) == []


def test_types_of_diabetes_are_subclasses_so_that_a_question_about_it_finds_them(
    diseases: list[Thing],
) -> None:
    kinds = {t.concept.en for t in diseases for relation, _, _ in t.items if relation == "IS_A"}
    assert kinds == {"type 1 diabetes mellitus", "type 2 diabetes mellitus"}


def test_every_disease_has_a_page(diseases: list[Thing], pages: list[Page]) -> None:
    named = {Path(d.file).name: d.concept.id or d.concept.en for d in diseases}
    assert {Path(p.file).name: p.disease for p in pages} == named


def test_every_page_has_the_eight_sections_and_none_is_short(pages: list[Page]) -> None:
    assert [p.file for p in pages if list(p.sections) != HEADINGS] == []
    short = [
        (p.file, heading)
        for p in pages
        for heading, text in p.sections.items()
        if len(words(text)) < SHORTEST_SECTION
    ]
    assert short == []


def test_every_fact_is_one_the_vocabulary_allows(everything: list[Thing]) -> None:
    wrong = [
        tail
        for thing in everything
        for relation, tail, _ in thing.items
        if thing.type not in RELATION_TYPES[relation].domain
        or tail.type not in RELATION_TYPES[relation].range
    ]
    assert wrong == []


def test_no_fact_is_told_twice_in_a_file(everything: list[Thing]) -> None:
    for thing in everything:
        told = Counter((relation, normalise(tail.en)) for relation, tail, _ in thing.items)
        assert [fact for fact, times in told.items() if times > 1] == [], thing.file


def test_every_name_is_given_in_both_languages(concepts: list[Concept]) -> None:
    chinese = re.compile("[\u4e00-\u9fff]")
    assert [c for c in concepts if not c.en.isascii() or not chinese.search(c.zh)] == []


def test_one_concept_has_one_spelling_id_and_type(concepts: list[Concept]) -> None:
    assert ambiguous(concepts, lambda c: c.id) == []
    assert ambiguous(concepts, lambda c: normalise(c.en)) == []
    assert ambiguous(concepts, lambda c: normalise(c.zh)) == []


def test_type_follows_from_the_ontology(concepts: list[Concept]) -> None:
    identified = [c for c in concepts if c.id]
    assert [c for c in identified if TYPE_OF_PREFIX[str(c.id).split(":")[0]] != c.type] == []


def test_references_and_citations_agree(everything: list[Thing]) -> None:
    for thing in everything:
        cited = {name for _, _, names in thing.items for name in names}
        assert cited == set(thing.content["references"]), thing.file


def test_reader_takes_every_statement(tmp_path: Path) -> None:
    read(SampleSource(kind="sample"), tmp_path, Silent())
    assert pq.read_table(tmp_path / "quarantine.parquet").to_pylist() == []
    problems = pq.read_table(tmp_path / "assertions.parquet")["problem"]
    assert problems.null_count == len(problems) > 0


def test_every_id_is_in_its_ontology_under_that_name(concepts: list[Concept], said: Names) -> None:
    wrong = [c for c in concepts if c.id and normalise(c.en) not in said.get(c.id, ())]
    assert wrong == []


def test_every_cui_is_an_exact_match_of_mondo(diseases: list[Thing], shared_data: Path) -> None:
    cuis = exact_cuis(shared_data)
    given = [(d.concept.id, d.content["cui"]) for d in diseases if "cui" in d.content]
    assert [(id_, cui) for id_, cui in given if cui not in cuis.get(str(id_), ())] == []
    assert len(given) >= 60


def test_no_address_is_cited_that_medquad_lacks(
    everything: list[Thing], pages: list[Page], answers: dict[str, str]
) -> None:
    cited = {ref.get("url") for t in everything for ref in t.content["references"].values()}
    cited.update(*(p.urls for p in pages))
    assert sorted(cited - {None} - answers.keys()) == []


def test_no_page_shares_eight_words_in_a_row_with_a_text_it_cites(
    pages: list[Page], answers: dict[str, str]
) -> None:
    assert any(answers.get(url) for p in pages for url in p.urls)
    for p in pages:
        own = set().union(*map(runs, p.sections.values()))
        shared = {run for url in p.urls for run in own & runs(answers.get(url, ""))}
        assert sorted(map(" ".join, shared)) == [], p.file


def test_names_are_of_what_the_sample_speaks_of(
    other_names: list[Name], concepts: list[Concept]
) -> None:
    everyday = (symptom.concept for symptom in things("symptoms", "Symptom"))
    spoken_of = {(c.type, c.id or "", c.en) for c in (*concepts, *everyday)}
    assert [n for n in other_names if (n.type, n.id, n.term) not in spoken_of] == []


def test_drugs_have_names_of_drugs_and_others_have_everyday_words(
    other_names: list[Name],
) -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for each in other_names:
        kinds[each.type].add(each.kind)
    assert kinds == {
        "Drug": {"INN", "USAN", "USP", "brand"},
        "Disease": {"lay", "abbreviation"},
        "Symptom": {"lay"},
    }


def test_no_name_is_of_two_things_or_told_twice(other_names: list[Name]) -> None:
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in other_names:
        owners[each.type, normalise(each.name)].add(each.named)
    assert [name for name, named in owners.items() if len(named) > 1] == []
    told = Counter((n.named, n.kind, n.language, normalise(n.name)) for n in other_names)
    assert [name for name, times in told.items() if times > 1] == []


def test_drug_has_at_most_five_brands_in_a_language(other_names: list[Name]) -> None:
    brands = Counter((n.named, n.language) for n in other_names if n.kind == "brand")
    assert [drug for drug, number in brands.items() if number > MOST_BRANDS] == []


def test_every_name_says_who_publishes_what_it_was_read_in(other_names: list[Name]) -> None:
    reference = re.compile(r"[^:|]+: \S[^|]*?( https://\S+| http://\S+)?")
    assert [n for n in other_names if not reference.fullmatch(n.reference)] == []


def test_names_that_hpo_is_cited_for_are_in_hpo(other_names: list[Name], said: Names) -> None:
    cited = [n for n in other_names if n.reference.startswith("Human Phenotype Ontology:")]
    assert [n for n in cited if normalise(n.name) not in said[n.id]] == []
    assert len(cited) >= 50


def test_no_everyday_word_of_a_finding_is_what_hpo_calls_another(
    other_names: list[Name], shared_data: Path
) -> None:
    ids = hpo_ids(shared_data)
    english = [n for n in other_names if n.type == "Symptom" and n.language == "en"]
    assert [n for n in english if ids.get(normalise(n.name), n.id) != n.id] == []
    assert len(english) >= 100


def test_names_that_medlineplus_is_cited_for_stand_on_that_page(
    other_names: list[Name], shared_data: Path
) -> None:
    texts = medquad_texts(shared_data)
    cited = [
        (n, n.reference.rpartition(" ")[2])
        for n in other_names
        if n.type != "Drug" and n.reference.startswith("MedlinePlus:")
    ]
    assert [n for n, url in cited if " ".join(words(n.name)) not in texts[url]] == []
    assert len(cited) >= 100


def test_brands_that_a_list_of_drugs_is_cited_for_stand_there_with_the_drug(
    other_names: list[Name], shared_data: Path
) -> None:
    products = (shared_data / "zh_ragqna" / "药品.txt").read_text("utf-8").split()
    generic = {n.id: n.name for n in other_names if n.kind == "INN" and n.language == "zh"}
    cited = [n for n in other_names if n.reference.startswith("RAGQnASystem:")]
    missing = [
        n.name
        for n in cited
        if not any(n.name in p and generic[n.id][:3] in p.partition(n.name)[2] for p in products)
    ]
    assert missing == []
    assert len(cited) >= 8


def test_what_has_a_file_has_its_names_or_the_reason_why_not(
    other_names: list[Name], explained: list[Unnamed]
) -> None:
    lacking = [wanted.lacking(other_names) for wanted in WANTED]
    assert [wanted.explained(explained) for wanted in WANTED] == lacking
    assert sum(map(len, lacking)) == len(explained)


def test_reasons_are_known_and_say_what_they_should(
    explained: list[Unnamed], concepts: list[Concept]
) -> None:
    everyday = (symptom.concept for symptom in things("symptoms", "Symptom"))
    spoken_of = {(c.id or "", c.en) for c in (*concepts, *everyday)}
    assert [e for e in explained if (e.id, e.term) not in spoken_of] == []
    with_words = {"another thing", "left out"}
    with_reference = {"own name", "another thing"}
    assert {e.reason for e in explained} == set(REASONS)
    assert [e for e in explained if bool(e.words) != (e.reason in with_words)] == []
    assert [e for e in explained if bool(e.reference) != (e.reason in with_reference)] == []


def test_names_that_were_left_out_are_not_in_the_tables(
    other_names: list[Name], explained: list[Unnamed]
) -> None:
    brands = {normalise(n.name) for n in other_names if n.kind == "brand"}
    left_out = {word for e in explained if e.reason == "left out" for word in e.words.split("; ")}
    assert {word for word in left_out if normalise(word) in brands} == set()
    assert len(left_out) >= 30


def test_words_for_another_thing_are_names_of_one(explained: list[Unnamed], said: Names) -> None:
    english = [e for e in explained if e.reason == "another thing" and e.language == "en"]
    alone = [
        e.term
        for e in english
        if not any(normalise(e.words) in said[other] for other in said if other != e.id)
    ]
    assert alone == []
    assert english


def test_names_said_to_be_everyday_words_stand_on_the_page_that_is_cited(
    explained: list[Unnamed], shared_data: Path
) -> None:
    texts = medquad_texts(shared_data)
    own = [e for e in explained if e.reason == "own name" and e.language == "en"]
    missing = [
        e.term for e in own if " ".join(words(e.term)) not in texts[e.reference.rpartition(" ")[2]]
    ]
    assert missing == []
    assert len(own) >= 10


def test_page_of_names_says_what_the_sample_has() -> None:
    written = SAMPLE.parents[1] / "docs" / "names.md"
    assert written.read_text("utf-8") == names_page()
