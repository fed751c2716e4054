import json
from pathlib import Path

import pytest

from ingest import sources
from ingest.sources import DismechSource
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read


def described(folder: Path, *records: object, name: str = "some_texts.jsonl") -> DismechSource:
    path = folder / name
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return DismechSource(kind="dismech", file=path)


def phenotype(name: object, term: object = "HP:0001369", disease: object = "Gout") -> object:
    said = {"disease": disease, "phenotype_name": name, "hpo_id": term}
    return {"text": "", "payload": {"source_type": "phenotype_description", **said}}


def treatment(name: object, text: str = "") -> object:
    said = {"source_type": "treatment_description", "disease": "Gout", "treatment_name": name}
    return {"text": text, "payload": said}


def gene(name: object, association: object = "Causative") -> object:
    said = {"disease": "Gout", "genetic_name": name, "association": association}
    return {"text": "", "payload": {"source_type": "genetic_description", **said}}


def test_phenotype_is_a_term_whose_name_here_is_evidence(tmp_path: Path, read: Read) -> None:
    (edge,) = read(described(tmp_path, phenotype("Swollen | toe", disease="Gout_X"))).assertions
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "dismech",
        "file": "some_texts.jsonl",
        "row": 1,
        "original_relation": "phenotype_description",
        "head_type": "Disease",
        "head_name": "Gout X",
        "relation": "HAS_SYMPTOM",
        "tail": "HP:0001369",
        "tail_type": "Symptom",
        "language": "en",
        "evidence": "Swollen / toe",
    }


def test_phenotype_may_be_a_disease_or_a_name_alone(tmp_path: Path, read: Read) -> None:
    records = (
        phenotype("Chronic kidney disease", "MONDO:0005300", "Ebola Virus Disease (EVD)"),
        phenotype("Toe pain", ""),
    )
    left = read(described(tmp_path, *records))
    ends = ("head_name", "tail", "tail_type", "tail_name")
    assert [tuple(a[end] for end in ends) for a in left.assertions] == [
        ("Ebola Virus Disease", "MONDO:0005300", "Disease", None),
        ("Gout", None, "Symptom", "Toe pain"),
    ]


def test_phenotypes_that_cannot_stand_are_quarantined(tmp_path: Path, read: Read) -> None:
    records = (
        phenotype("No Systemic Symptoms", ""),
        phenotype("Never/Light Smoker", "HP:0100526"),
        phenotype("Arthritis", "0001369"),
        phenotype("Arthritis", "UBERON:0000978"),
        phenotype(" "),
        phenotype("Arthritis", disease="_"),
        phenotype(["Arthritis"]),
        phenotype("Arthritis", disease=7),
    )
    assert read(described(tmp_path, *records)).reasons() == {
        1: "'No Systemic Symptoms' names no finding that the disorder has",
        2: "'Never/Light Smoker' names no finding that the disorder has",
        3: "hpo_id: '0001369' is not a CURIE; write PREFIX:ID, e.g. HP:0001945",
        4: "hpo_id: 'UBERON:0000978' is no term of HPO or MONDO",
        5: "the row names no phenotype",
        6: "the row names no disease",
        7: "'phenotype_name' holds a list where a text is expected",
        8: "'disease' holds a number where a text is expected",
    }


@pytest.mark.parametrize(
    ("name", "node_type", "shown"),
    [
        ("Rituximab", "Drug", "Rituximab"),
        ("Sirolimus (Rapamycin)", "Drug", "Sirolimus"),
        ("Temozolomide", "Drug", "Temozolomide"),
        ("Systemic Corticosteroids", "Drug", "Systemic Corticosteroids"),
        ("JAK inhibitor therapy", "Drug", "JAK inhibitor"),
        ("Physical Therapy", "Procedure", "Physical Therapy"),
        ("Liver transplantation", "Procedure", "Liver transplantation"),
        ("Low-Sodium Diet", "Behavior", "Low-Sodium Diet"),
    ],
)
def test_treatment_is_what_its_words_tell(
    tmp_path: Path, read: Read, name: str, node_type: str, shown: str
) -> None:
    (edge,) = read(described(tmp_path, treatment(name))).assertions
    assert (edge["head_name"], edge["relation"], edge["tail_type"], edge["tail_name"]) == (
        "Gout",
        "TREATED_BY",
        node_type,
        shown,
    )


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("Genetic Counseling", "", "prevents, watches or advises, and treats nothing"),
        ("Trigger avoidance", "", "prevents, watches or advises, and treats nothing"),
        ("Statin therapy (preclinical)", "", "is tried out, or doubtful, by what the row says"),
        ("Colchicine", "Colchicine: Experimental here. It", "is tried out, or doubtful"),
        ("Dabrafenib plus Trametinib", "", "is several things, or one for a part"),
        ("Supportive Care", "", "says no more than that there is a treatment"),
        ("Medical Therapy", "", "says no more than that there is a treatment"),
        ("Aerobic Exercise Training", "", "do not tell if it is a drug or a procedure"),
        ("", "", "the row names no treatment"),
        ("(Colchicine)", "", "the row names no treatment"),
        (None, "", "the row names no treatment"),
    ],
)
def test_other_treatments_are_quarantined(
    tmp_path: Path, read: Read, name: str | None, text: str, reason: str
) -> None:
    left = read(described(tmp_path, treatment(name, text)))
    assert (left.assertions, reason in left.reasons()[1]) == ([], True)


def test_treatment_is_not_tried_out_where_a_later_sentence_speaks_of_it(
    tmp_path: Path, read: Read
) -> None:
    text = "Colchicine: First line in attacks. Others are experimental."
    left = read(described(tmp_path, treatment("Colchicine", text)))
    assert left.facts() == [("Gout", "TREATED_BY", "Colchicine")]


@pytest.mark.parametrize(
    ("record", "symbol", "evidence"),
    [
        (gene("ABCG2", "Risk Factor"), "ABCG2", "Risk Factor"),
        (gene("HPRT1 pathogenic variants", ""), "HPRT1", "HPRT1 pathogenic variants"),
        (gene("C9orf72 Repeat Expansion"), "C9orf72", "Causative"),
        (gene("BRAF V600E", "Somatic Mutation"), "BRAF", "Somatic Mutation"),
        (gene("ERBB2 (HER2)", "Amplification"), "ERBB2", "Amplification"),
        (gene("HLA-DRB1", "GWAS | risk"), "HLA-DRB1", "GWAS / risk"),
    ],
)
def test_gene_with_variants_that_matter_is_associated(
    tmp_path: Path, read: Read, record: object, symbol: str, evidence: str
) -> None:
    left = read(described(tmp_path, record))
    assert left.facts() == [(symbol, "ASSOCIATED_WITH", "Gout")]
    assert left.assertions[0]["evidence"] == evidence


@pytest.mark.parametrize(
    ("name", "association", "reason"),
    [
        ("PML-RARA Fusion", "Causative", "'PML-RARA Fusion' is not the symbol of one gene"),
        ("HLA-DR4", "Risk Factor", "'HLA-DR4' is not the symbol of one gene"),
        ("PTEN and RB1", "Causative", "'PTEN and RB1' is not the symbol of one gene"),
        ("Trisomy 21", "Causative", "'Trisomy 21' is not the symbol of one gene"),
        ("TNF-\u03b1", "Causative", "'TNF-\u03b1' is not the symbol of one gene"),
        ("RAS Mutations", "Causative", "'RAS Mutations' is not the symbol of one gene"),
        ("", "Causative", "'' is not the symbol of one gene"),
        ("CCR5", "Host factor", "'Host factor' does not say that variants of the gene matter"),
        ("TP53", "", "'TP53' does not say that variants of the gene matter"),
        (
            "TP53",
            "Rarely mutated",
            "'Rarely mutated' does not say that variants of the gene matter",
        ),
    ],
)
def test_other_genes_are_quarantined(
    tmp_path: Path, read: Read, name: str, association: str, reason: str
) -> None:
    assert read(described(tmp_path, gene(name, association))).reasons() == {1: reason}


def test_records_of_another_shape_are_quarantined(tmp_path: Path, read: Read) -> None:
    records = (
        {"payload": {"source_type": "pathograph", "disease": "Gout"}},
        {"payload": {"source_type": ["genetic_description"], "disease": "Gout"}},
        {"payload": "Gout"},
        ["Gout"],
        '{"payload": {"disease": "Gout", "disease": "Flu"}}',
        '{"payload": {"disease"',
    )
    reasons = read(described(tmp_path, *records)).reasons()
    no_payload = "the record is no JSON object with an object 'payload'"
    assert {row: reasons[row] for row in range(1, 6)} == {
        1: "the graph has no relation for 'pathograph'",
        2: "the graph has no relation for 'no source_type'",
        3: no_payload,
        4: no_payload,
        5: "the key 'disease' is there twice in one object",
    }
    assert reasons[6].startswith("not JSON: ")


def test_folder_is_read_file_by_file(tmp_path: Path, read: Read) -> None:
    described(tmp_path, gene("ABCG2"), name="genetic_texts.jsonl")
    described(tmp_path, treatment("Rituximab"), name="treatment_texts.jsonl")
    left = read(DismechSource(kind="dismech", file=tmp_path))
    assert [a["file"] for a in left.assertions] == ["genetic_texts.jsonl", "treatment_texts.jsonl"]


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(
        SourceError, match=r"no \*_texts.jsonl is in it; correct the source's file"
    ):
        read(DismechSource(kind="dismech", file=tmp_path))
    source = described(tmp_path)
    with pytest.raises(SourceError, match=r"some_texts.jsonl: the file is empty"):
        read(source)
    source.file.write_bytes(b'{"payload": "M\xe9"}\n{}\n')
    with pytest.raises(SourceError, match=r"some_texts.jsonl.*not UTF-8 text"):
        read(source)


def test_all_descriptions_are_accounted_for_and_read_alike_twice(
    shared_data: Path, read: Read, tmp_path: Path
) -> None:
    source = DismechSource(kind="dismech", file=shared_data / "dismech")
    left = read(source)
    assert left.rows == {
        "phenotype_description": 5_936,
        "treatment_description": 2_953,
        "genetic_description": 1_953,
    }
    assert len(left.assertions) + len(left.quarantine) == sum(left.rows.values())
    assert [a for a in left.assertions if a["problem"]] == []
    sources.read(source, tmp_path / "again", Silent())
    for table in ("assertions.parquet", "quarantine.parquet"):
        assert (tmp_path / "again" / table).read_bytes() == (tmp_path / "out" / table).read_bytes()
