"""A small graph of five diseases that a doctor can tell apart, and cases of two of them."""

from pathlib import Path
from tempfile import mkdtemp

import kg
from evalsim.case import DiagnosisCase, Fact, Finding, Language, MedicationCase, Thing, write_cases
from ingest.merge import MergeConfig, merge
from kg.progress import Silent
from tests.ingest.rows import fact, said, write_assertions

DISEASES = {
    "MONDO:0005393": ("gout", "痛风", ("HP:0001369", "HP:0001386", "HP:0010783", "HP:0001945")),
    "MONDO:0005812": (
        "influenza",
        "流行性感冒",
        ("HP:0001945", "HP:0012735", "HP:0003326", "HP:0002315"),
    ),
    "MONDO:0005277": (
        "migraine disorder",
        "偏头痛",
        ("HP:0002315", "HP:0000613", "HP:0002018", "HP:0002183"),
    ),
    "MONDO:0004979": ("asthma", "哮喘", ("HP:0030828", "HP:0012735", "HP:0002094", "HP:0031352")),
    "MONDO:0005247": (
        "urinary tract infection",
        "尿路感染",
        ("HP:0100518", "HP:0100515", "HP:0000790", "HP:0001945"),
    ),
}
"""Id: name, name in Chinese, findings."""

FINDINGS = {
    "HP:0001369": ("Arthritis", "关节炎"),
    "HP:0001386": ("Joint swelling", "关节肿胀"),
    "HP:0010783": ("Erythema", "红斑"),
    "HP:0001945": ("Fever", "发热"),
    "HP:0012735": ("Cough", "咳嗽"),
    "HP:0003326": ("Myalgia", "肌痛"),
    "HP:0002315": ("Headache", "头痛"),
    "HP:0000613": ("Photophobia", "畏光"),
    "HP:0002018": ("Nausea", "恶心"),
    "HP:0002183": ("Phonophobia", "畏声"),
    "HP:0030828": ("Wheezing", "喘鸣"),
    "HP:0002094": ("Dyspnea", "呼吸困难"),
    "HP:0031352": ("Chest tightness", "胸闷"),
    "HP:0100518": ("Dysuria", "排尿困难"),
    "HP:0100515": ("Pollakisuria", "尿频"),
    "HP:0000790": ("Hematuria", "血尿"),
}
DRUG = ("DRUGBANK:DB01050", "Ibuprofen", "布洛芬")
ULCER = ("MONDO:0004247", "peptic ulcer disease", "消化性溃疡")


def write_clinic(folder: Path) -> Path:
    """The graph in a file of the embedded engine, scored as a build scores it."""
    rows = []
    for id_, (name, zh) in FINDINGS.items():
        rows += [
            said(id_, "HAS_NAME", name, head_type="Symptom"),
            said(id_, "HAS_NAME", zh, head_type="Symptom", language="zh"),
        ]
    for id_, (name, zh, findings) in {**DISEASES, ULCER[0]: (*ULCER[1:], ())}.items():
        rows += [said(id_, "HAS_NAME", name), said(id_, "HAS_NAME", zh, language="zh")]
        rows += [fact(id_, "HAS_SYMPTOM", finding, frequency=0.8) for finding in findings]
    rows += [
        said(DRUG[0], "HAS_NAME", DRUG[1], head_type="Drug"),
        said(DRUG[0], "HAS_NAME", DRUG[2], head_type="Drug", language="zh"),
        fact(DRUG[0], "INDICATED_FOR", "MONDO:0005277", head_type="Drug", tail_type="Disease"),
        fact(DRUG[0], "CONTRAINDICATED_FOR", ULCER[0], head_type="Drug", tail_type="Disease"),
    ]
    path = write_assertions(folder / "s.parquet", "s", rows)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=folder)), Silent())
    with kg.connect(str(folder / "clinic.lbug")) as graph:
        graph.load(result.tables)
    return folder / "clinic.lbug"


def diagnosis_case(id_: str, language: Language = "en") -> DiagnosisCase:
    """A case of one of the diseases."""
    name, zh, findings = DISEASES[id_]
    return DiagnosisCase(
        id=f"diagnosis-{language}-{id_}",
        language=language,
        target=Thing(id=id_, type="Disease", name=name, name_zh=zh),
        findings=tuple(
            Finding(
                id=finding,
                type="Symptom",
                name=FINDINGS[finding][0],
                name_zh=FINDINGS[finding][1],
                frequency=0.8,
                discrimination=0.5,
                sources=("s",),
            )
            for finding in findings
        ),
    )


def medication_case(language: Language = "en") -> MedicationCase:
    """A case of the drug."""
    migraine = DISEASES["MONDO:0005277"]
    return MedicationCase(
        id=f"medication-{language}-{DRUG[0]}",
        language=language,
        target=Thing(id=DRUG[0], type="Drug", name=DRUG[1], name_zh=DRUG[2]),
        facts=(
            Fact(
                id="MONDO:0005277",
                type="Disease",
                name=migraine[0],
                name_zh=migraine[1],
                attribute="indication",
                sources=("s",),
            ),
            Fact(
                id=ULCER[0],
                type="Disease",
                name=ULCER[1],
                name_zh=ULCER[2],
                attribute="contraindication",
                sources=("s",),
            ),
        ),
    )


def write_clinic_cases(file: Path, language: Language = "en") -> Path:
    """A case of every disease, and one of the drug."""
    write_cases(
        [*(diagnosis_case(id_, language) for id_ in DISEASES), medication_case(language)], file
    )
    return file
