"""A small graph in which diseases are related in every way that the judge knows, and a drug."""

from pathlib import Path
from tempfile import mkdtemp

import kg
from evalsim.case import Attribute, DiagnosisCase, Fact, Finding, Language, MedicationCase, Thing
from ingest.merge import MergeConfig, merge
from kg.progress import Silent
from tests.ingest.rows import fact, said, write_assertions

DISEASES = {
    "MONDO:10": ("gout", "痛风", ("HP:1", "HP:2", "HP:3")),
    "MONDO:11": ("crystal arthropathy", "晶体性关节病", ()),
    "MONDO:12": ("calcium deposition disease", "钙沉积病", ()),
    "MONDO:13": ("joint disorder", "关节疾病", ()),
    "MONDO:14": ("septic arthritis", "化脓性关节炎", ("HP:1", "HP:2", "HP:4")),
    "MONDO:15": ("kidney stone", "肾结石", ("HP:5",)),
    "MONDO:16": ("Lesch-Nyhan syndrome", "莱施-奈恩综合征", ("HP:6",)),
    "MONDO:17": ("urate nephropathy", "尿酸性肾病", ("HP:7",)),
    "MONDO:18": ("migraine", "偏头痛", ("HP:8", "HP:9")),
    "MONDO:19": ("chronic gout", "慢性痛风", ()),
    "MONDO:20": ("pseudogout", "假性痛风", ()),
    "MONDO:21": ("asthma", "哮喘", ("HP:9",)),
}
"""Id: name, name in Chinese, findings."""
FINDINGS = {
    "HP:1": ("Joint swelling", "关节肿胀"),
    "HP:2": ("Arthritis", "关节炎"),
    "HP:3": ("Tophi", "痛风石"),
    "HP:4": ("Fever", "发热"),
    "HP:5": ("Flank pain", "腰痛"),
    "HP:6": ("Self-mutilation", "自残"),
    "HP:7": ("Proteinuria", "蛋白尿"),
    "HP:8": ("Photophobia", "畏光"),
    "HP:9": ("Cough", "咳嗽"),
    "HP:10": ("Hyperuricemia", "高尿酸血症"),
    "HP:11": ("Gouty attack", "痛风发作"),
    "HP:12": ("Chest pain", "胸痛"),
}
DRUG = ("DRUGBANK:1", "Ibuprofen", "布洛芬")
ULCER = ("MONDO:30", "peptic ulcer", "消化性溃疡")
KIDNEY = ("MONDO:31", "kidney failure", "肾衰竭")
WARFARIN = ("DRUGBANK:2", "Warfarin", "华法林")
PREGNANT = ("MEDKG:Population.1", "Pregnant women", "孕妇")
_KINDS = 160
"""Of joint disorder: so many that it says little."""


def write_ward(folder: Path) -> Path:
    """The graph in a file of the embedded engine."""
    rows = []
    for id_, (name, zh) in FINDINGS.items():
        rows += [
            said(id_, "HAS_NAME", name, head_type="Symptom"),
            said(id_, "HAS_NAME", zh, head_type="Symptom", language="zh"),
        ]
    others = {each[0]: (*each[1:], ()) for each in (ULCER, KIDNEY)}
    for id_, (name, zh, findings) in {**DISEASES, **others}.items():
        rows += [said(id_, "HAS_NAME", name), said(id_, "HAS_NAME", zh, language="zh")]
        rows += [fact(id_, "HAS_SYMPTOM", finding, frequency=0.6) for finding in findings]
    rows += [
        fact(child, "IS_A", parent, tail_type="Disease")
        for child, parent in (
            ("MONDO:10", "MONDO:11"),
            ("MONDO:12", "MONDO:11"),
            ("MONDO:11", "MONDO:13"),
            *((f"MONDO:{1000 + n}", "MONDO:13") for n in range(_KINDS)),
        )
    ]
    rows += [said(f"MONDO:{1000 + n}", "HAS_NAME", f"joint trouble {n}") for n in range(_KINDS)]
    rows += [
        fact("MONDO:10", "CAUSED_BY", "HP:10"),
        fact("MONDO:17", "CAUSED_BY", "HP:10"),
        fact("MONDO:10", "COMPLICATED_BY", "MONDO:15", tail_type="Disease"),
    ]
    rows += [
        fact(
            "NCBIGene:1",
            "ASSOCIATED_WITH",
            id_,
            head_type="Gene",
            head_name="HPRT1",
            tail_type="Disease",
        )
        for id_ in ("MONDO:10", "MONDO:16")
    ]
    rows += [
        fact(id_, "HAS_CUI", "UMLS:C0000001", tail_type="Concept")
        for id_ in ("MONDO:10", "MONDO:18")
    ]
    for id_, name, zh, type_ in (
        (*DRUG, "Drug"),
        (*WARFARIN, "Drug"),
        (*PREGNANT, "Population"),
    ):
        rows += [
            said(id_, "HAS_NAME", name, head_type=type_),
            said(id_, "HAS_NAME", zh, head_type=type_, language="zh"),
        ]
    rows += [
        fact(DRUG[0], relation, tail, head_type="Drug", tail_type=tail_type)
        for relation, tail, tail_type in (
            ("INDICATED_FOR", "MONDO:10", "Disease"),
            ("INDICATED_FOR", "MONDO:18", "Disease"),
            ("CONTRAINDICATED_FOR", ULCER[0], "Disease"),
            ("CONTRAINDICATED_FOR", PREGNANT[0], "Population"),
            ("HAS_PRECAUTION", KIDNEY[0], "Disease"),
            ("INTERACTS_WITH", WARFARIN[0], "Drug"),
        )
    ]
    path = write_assertions(folder / "s.parquet", "s", rows)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=folder)), Silent())
    with kg.connect(str(folder / "ward.lbug")) as graph:
        graph.load(result.tables)
    return folder / "ward.lbug"


def thing(id_: str) -> Thing:
    """A disease or finding of the graph."""
    name, zh = (DISEASES.get(id_) or FINDINGS[id_])[:2]
    type_ = "Symptom" if id_ in FINDINGS else "Disease"
    return Thing(id=id_, type=type_, name=name, name_zh=zh)


def gout(language: Language = "en") -> DiagnosisCase:
    """A case of gout."""
    scores = {"HP:1": 0.2, "HP:2": 0.3, "HP:3": 0.9}
    return DiagnosisCase(
        id="gout",
        language=language,
        target=thing("MONDO:10"),
        synonyms=("podagric arthritis",),
        findings=tuple(
            Finding(**thing(id_).model_dump(), discrimination=score, sources=("s",))
            for id_, score in scores.items()
        ),
    )


def ibuprofen(language: Language = "en") -> MedicationCase:
    """A case of the drug."""
    facts: tuple[tuple[Thing, Attribute], ...] = (
        (thing("MONDO:10"), "indication"),
        (Thing(id=ULCER[0], type="Disease", name=ULCER[1], name_zh=ULCER[2]), "contraindication"),
        (
            Thing(id=PREGNANT[0], type="Population", name=PREGNANT[1], name_zh=PREGNANT[2]),
            "contraindication",
        ),
        (Thing(id=KIDNEY[0], type="Disease", name=KIDNEY[1], name_zh=KIDNEY[2]), "precaution"),
        (Thing(id=WARFARIN[0], type="Drug", name=WARFARIN[1], name_zh=WARFARIN[2]), "interaction"),
    )
    return MedicationCase(
        id="ibuprofen",
        language=language,
        target=Thing(id=DRUG[0], type="Drug", name=DRUG[1], name_zh=DRUG[2]),
        facts=tuple(
            Fact(**each.model_dump(), attribute=attribute, sources=("s",))
            for each, attribute in facts
        ),
    )
