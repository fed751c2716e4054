"""Text-born names that are never linked: real terms near others, other signs, other concepts."""

import pyarrow as pa
import pytest

from ingest.assertions import Assertion
from ingest.identity import mint
from ingest.linking import resolved
from kg.linking.linker import Linker, LinkOptions
from kg.linking.names import Names
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import edges_of, fact, nodes_of
from tests.ingest.text_born import FEVER, TEXT, has, links, names

# --- a name that comes with a concept -----------------------------------------------------------


def with_concept(name: str | None, cui: str, id_: str | None = None) -> Assertion:
    """A source that says which concept a symptom has."""
    of = {"head_type": "Symptom", "tail_type": "Concept", "head_name": name}
    return fact(id_, "HAS_CUI", f"UMLS:{cui}", **of)


@pytest.mark.parametrize("order", [("known", "text"), ("text", "known")])
@pytest.mark.parametrize("name", ["fever", "feverr"])
def test_name_whose_concept_its_node_has_not_is_refused_and_a_node_of_its_own(
    merge_rows: MergeRows, name: str, order: tuple[str, str]
) -> None:
    rows = {
        "known": [FEVER, with_concept("Fever", "C0015967", "HP:1")],
        "text": [has(name), with_concept(name, "C9999999")],
    }
    result = merge_rows(TEXT, **{source: rows[source] for source in order})
    assert links(result) == [(name, "contradicted", None, "HP:1")]
    own = mint("Symptom", name)
    assert sorted(edges_of(result, "HAS_CUI", "head", "tail")) == [
        ("HP:1", "UMLS:C0015967"),
        (own, "UMLS:C9999999"),
    ]
    assert (names(result, "HP:1"), names(result, str(own))) == (("Fever",), (name,))
    assert all(account.closes() for account in result.accounts)


@pytest.mark.parametrize(
    ("known", "concepts", "outcome"),
    [
        ([], ["C0015967"], "linked"),
        ([], ["C0015967", "C1"], "linked"),
        (["C0015967", "C1"], ["C0015967"], "linked"),
        (["C0015967"], ["C0015967", "C1"], "contradicted"),
    ],
)
def test_name_is_linked_where_its_node_has_its_concepts_or_none(
    merge_rows: MergeRows, known: list[str], concepts: list[str], outcome: str
) -> None:
    had = [with_concept("Fever", cui, "HP:1") for cui in known]
    text = [has("feverr"), *(with_concept("feverr", cui) for cui in concepts)]
    result = merge_rows(TEXT, known=[FEVER, *had], text=text)
    assert [link.outcome for link in result.links] == [outcome]


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_of_two_names_with_two_concepts_only_the_surer_is_linked(
    merge_rows: MergeRows, order: tuple[str, str]
) -> None:
    rows = {
        "a": [has("feverr"), with_concept("feverr", "C1")],
        "b": [has("fever"), with_concept("fever", "C2")],
    }
    texts = {source: rows[source] for source in order}
    result = merge_rows(frozenset(order), **texts, known=[FEVER])
    assert sorted(links(result)) == [
        ("fever", "linked", "exact", "HP:1"),
        ("feverr", "contradicted", None, "HP:1"),
    ]


def test_name_that_others_give_without_an_id_has_its_concept_too(merge_rows: MergeRows) -> None:
    known = [FEVER, fact("MONDO:1", "HAS_SYMPTOM", None, tail_name="Tophus")]
    known.append(with_concept("Tophus", "C1"))
    text = [has("tophuss"), with_concept("tophuss", "C2")]
    assert links(merge_rows(TEXT, known=known, text=text)) == [
        ("tophuss", "contradicted", None, mint("Symptom", "Tophus"))
    ]


def test_names_without_a_concept_are_linked_whatever_their_node_has(merge_rows: MergeRows) -> None:
    known = [FEVER, with_concept("Fever", "C0015967", "HP:1")]
    result = merge_rows(TEXT, known=known, text=[has("feverr")])
    assert links(result) == [("feverr", "linked", "spelling", "HP:1")]


# --- real terms that are near another ------------------------------------------------------------


def linker_of(kind: str, name: str) -> Linker:
    """That knows one name."""
    language = "en" if name.isascii() else "zh"
    row = {"id": "X:1", "type": kind, "name": name, "language": language}
    table = pa.table({column: [value] for column, value in row.items()})
    return Linker.of_names(Names.of_table(table), LinkOptions(types=(kind,)))


@pytest.mark.parametrize(
    ("kind", "name", "near"),
    [
        ("Symptom", "aphagia", "Aphasia"),
        ("Disease", "moody", "MODY"),
        ("Symptom", "homelessness", "Hopelessness"),
        ("Symptom", "Hyperkalemia", "Hypokalemia"),
        ("Symptom", "dysphasia", "Dysphagia"),
        ("Symptom", "Asteatosis", "Steatosis"),
        ("Symptom", "Chromatopsia", "Achromatopsia"),
        ("Symptom", "symmetric tonic seizures", "asymmetric tonic seizures"),
        ("Symptom", "hypertropic scar", "hypertrophic scar"),
        ("Symptom", "myotonic jerks", "myoclonic jerks"),
        ("Symptom", "peroneal pain", "perineal pain"),
        ("Disease", "pyelitis", "myelitis"),
        ("Disease", "urethritis", "ureteritis"),
        ("Disease", "nephroma", "neuroma"),
        ("Disease", "myeloma", "myoma"),
        ("Disease", "angiomyoma", "angiomyxoma"),
        ("Disease", "tendinosis", "tendinitis"),
        ("Disease", "hepatoma", "hematoma"),
        ("Disease", "Ander syndrome", "Andre syndrome"),
        ("Disease", "FANCC", "FANCS"),
        ("Disease", "NEDMISBA", "NEDMIBA"),
        ("Disease", "MOTA syndrome", "MOBA syndrome"),
        ("Disease", "SGCA limb-girdle muscular dystrophy", "SGCG limb-girdle muscular dystrophy"),
        (
            "Disease",
            "congenital disorder of glycosylation In",
            "congenital disorder of glycosylation",
        ),
        ("Disease", "infection of male organs", "infection of female organs"),
        ("Disease", "anepia", "anemia"),
        ("Symptom", "内脏出血", "内出血"),
        ("Anatomy", "ilium", "ileum"),
        ("Anatomy", "urethra", "ureter"),
        ("Procedure", "thoracostomy", "thoracotomy"),
        ("Procedure", "colostomy", "colectomy"),
        ("Procedure", "gastroscope", "gastroscopy"),
        ("Procedure", "phytotherapy", "phototherapy"),
        ("Drug", "ethionine", "methionine"),
        ("Drug", "taurine", "tacrine"),
        ("Drug", "chlorpromazide", "chlorpromazine"),
        ("Drug", "diclofenamide", "diclofenamine"),
        ("Disease", "急性胃溃疡出血", "慢性胃溃疡出血"),
        ("Disease", "左侧肢体偏瘫症", "右侧肢体偏瘫症"),
        ("Symptom", "高结合胆红素血症", "高非结合胆红素血症"),
        ("Disease", "妊娠合并肝硬化", "妊娠合并肾硬化"),
        ("Disease", "一型糖尿病肾病", "二型糖尿病肾病"),
        ("Disease", "先天性手指骨畸形", "先天性手趾骨畸形"),
        ("Disease", "子宮非炎性疾患", "子宮頸非炎性疾患"),
    ],
)
def test_real_term_is_never_linked_with_one_near(kind: str, name: str, near: str) -> None:
    assert not resolved(linker_of(kind, near), kind, name).linked


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        ("Symptom", "hedache", "Headache"),
        ("Symptom", "HEDACHE", "Headache"),
        ("Symptom", "abdomnial pain", "Abdominal pain"),
        ("Symptom", "diarrheaa", "Diarrhea"),
        ("Symptom", "hyperglycmia", "Hyperglycemia"),
        ("Disease", "pnemonia", "pneumonia"),
        ("Disease", "asthmma", "asthma"),
        ("Disease", "myocardial infarctoin", "myocardial infarction"),
        ("Disease", "tubercolosis", "tuberculosis"),
        ("Procedure", "colectmoy", "colectomy"),
        ("Drug", "amoxycilllin", "amoxycillin"),
        ("Drug", "fluoxteine", "fluoxetine"),
        ("Disease", "先天性心赃病", "先天性心脏病"),
        ("Disease", "血小板减少", "血小板减少症"),
    ],
)
def test_slip_is_linked(kind: str, name: str, meant: str) -> None:
    mention = resolved(linker_of(kind, meant), kind, name)
    assert (mention.linked, mention.method) == (True, "spelling")


def test_term_near_another_becomes_a_node_and_is_listed_with_it(merge_rows: MergeRows) -> None:
    known = [fact("MONDO:1", "HAS_SYMPTOM", "HP:7", tail_name="Aphasia")]
    result = merge_rows(TEXT, known=known, text=[has("aphagia")])
    assert links(result) == [("aphagia", "unsure", None, "HP:7")]
    assert (mint("Symptom", "aphagia"), "aphagia") in nodes_of(result, "id", "name")


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Rh -", "Rh"),
        ("Rh（ - ）", "Rh"),
        ("WBC↑", "WBC"),
        ("血压↓", "血压"),
        ("T值-2.5", "T值 2.5"),
        ("♀ infertility", "infertility"),
        ("Gram -ve sepsis", "Gram +ve sepsis"),
        ("fever without pain", "pain without fever"),
        ("costalgia", "cystalgia"),
    ],
)
def test_name_with_another_sign_or_meaning_is_not_linked(
    merge_rows: MergeRows, name: str, known: str
) -> None:
    result = merge_rows(TEXT, known=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name=known)],
                        text=[has(name)])  # fmt: skip
    assert [link.outcome for link in result.links] != ["linked"]


def test_name_that_brings_one_concept_more_is_contradicted_in_all_its_spellings(
    merge_rows: MergeRows,
) -> None:
    concept = {"head_type": "Symptom", "tail_type": "Concept"}
    result = merge_rows(
        TEXT,
        known=[FEVER, fact("HP:1", "HAS_CUI", "UMLS:C0015967", **concept)],
        text=[
            has("feverr"),
            has("Feverr"),
            fact(None, "HAS_CUI", "UMLS:C0015967", head_name="feverr", **concept),
            fact(None, "HAS_CUI", "UMLS:C9999999", head_name="feverr", **concept),
        ],
    )
    assert {link.outcome for link in result.links} == {"contradicted"}
    cuis = edges_of(result, "HAS_CUI", "head", "tail")
    assert [tail for head, tail in cuis if head == "HP:1"] == ["UMLS:C0015967"]
