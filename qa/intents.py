"""What a question asks for: its words, mapped to the query that answers it."""

import re
from dataclasses import dataclass
from typing import Final

from kg.vocabulary import NODE_TYPES

DISEASE: Final = ("Disease",)
DRUG: Final = ("Drug",)
ANYTHING: Final = (*DISEASE, *DRUG, *(t for t in NODE_TYPES if t not in ("Disease", "Drug")))


@dataclass(frozen=True)
class Intent:
    """A query, the words that ask for it, and whom its parameters stand for."""

    query: str
    """Name in the catalogue."""
    words: re.Pattern[str]
    """In English and Chinese; searched in the question, case aside."""
    subjects: dict[str, tuple[str, ...]]
    """Parameter by name: the node types it may be, first choice first."""
    says: str
    """What the rows are, in the plural: heads an answer, and says what the graph lacks."""
    warns: bool = False
    """Asks whether or what not: where it finds nothing, no other query that fits the words
    may answer instead, for it would say the opposite."""


def _intent(
    query: str, words: str, says: str, *, warns: bool = False, **subjects: tuple[str, ...]
) -> Intent:
    return Intent(query, re.compile(words, re.IGNORECASE), subjects, says, warns)


INTENTS: Final = (
    _intent(
        "gene.shared",
        r"\bshare|in common|\bboth\b|共同|共有",
        "shared genes",
        disease=DISEASE,
        other=DISEASE,
    ),
    _intent(
        "entity.statements",
        r"^(can|could|does|do|is|are|may|will)\b.*\b(caus|lead|result|risk|safe|take|use|give|interact)"
        r"|会(不会)?(引起|导致|引发)|[能可].*[吃用服].*吗|能不能|可不可以|有(什么)?关系",
        "direct statements",
        warns=True,
        one=ANYTHING,
        other=ANYTHING,
    ),
    _intent(
        "drug.avoid_with_condition",
        r"\bavoid(?! getting)|(should|must|can|do)( not|n't) (be )?(take|use|give)|can ?not (be )?(take|use)|\bunsafe\b"
        r"|contraindicated|不[能可宜](吃|用|服)|不可以(吃|用|服)|禁用|慎用|忌用|避免.*药",
        "drugs to avoid",
        warns=True,
        condition=("Disease", "Symptom", "Population"),
    ),
    _intent(
        "drug.adverse_reactions",
        r"side.?effect|adverse|副作用|不良反应",
        "adverse reactions",
        drug=DRUG,
    ),
    _intent(
        "drug.interactions",
        r"\binteract|combine|together|(take|use)n?d? with|相互作用|(同时|一起|一块)(吃|服|用)|合用|同服",
        "interactions",
        drug=DRUG,
    ),
    _intent(
        "drug.contraindications",
        r"contraindicat|\bavoid|who (should|must|can)( ?not|n't)|禁忌|禁用|不[能可宜](吃|用|服)",
        "contraindications",
        warns=True,
        drug=DRUG,
    ),
    _intent("drug.precautions", r"precaution|careful|注意(事项)?|慎", "precautions", drug=DRUG),
    _intent(
        "drug.indications",
        r"indicat|used (for|to)|prescribed|\buses?\b|\btreats?\b|适应症|适应证|治什么|用途|作用|管什么",
        "indications",
        drug=DRUG,
    ),
    _intent(
        "disease.excluded_symptoms",
        r"does(n't| not) (have|cause)|\black|没有.*症状",
        "absent symptoms",
        warns=True,
        disease=DISEASE,
    ),
    _intent(
        "disease.symptoms",
        r"symptom|\bsigns?\b|look like|feel|know (if|whether)|症状|表现|征兆|迹象",
        "symptoms",
        disease=DISEASE,
    ),
    _intent(
        "disease.risk_factors",
        r"risk|more likely|who gets|风险|危险因素|易感|高发|高危|(哪些|什么|哪类)人",
        "risk factors",
        disease=DISEASE,
    ),
    _intent(
        "disease.complications",
        r"complicat|lead to|consequence|并发症|后果|引发|危害",
        "complications",
        disease=DISEASE,
    ),
    _intent(
        "disease.diagnosis",
        r"diagnos|\btest(s|ed)?\b|detect|examin|\bscreen|诊断|检查|化验|确诊",
        "diagnosis",
        disease=DISEASE,
    ),
    _intent(
        "disease.prevention",
        r"prevent|avoid getting|protect|预防|防止|避免",
        "prevention",
        disease=DISEASE,
    ),
    _intent(
        "disease.drugs",
        r"\bdrugs?\b|medic(ine|ation)|\bpills?\b|[吃用](什么|啥|哪些|哪种)药|药物",
        "drugs",
        disease=DISEASE,
    ),
    _intent(
        "disease.treatments",
        r"treat|therap|cure|manage|治疗|怎么治|怎么办|疗法|治好|治愈|根治",
        "treatments",
        disease=DISEASE,
    ),
    _intent(
        "disease.department",
        r"department|specialist|which doctor|科室|[挂看](什么|哪个|啥)科",
        "departments",
        disease=DISEASE,
    ),
    _intent(
        "disease.genes",
        r"\bgenes?\b|genetic|inherit|heredit|runs? in|基因|遗传",
        "genes",
        disease=DISEASE,
    ),
    _intent(
        "disease.similar",
        r"similar|resembl|like it|confus|类似|相似",
        "similar diseases",
        disease=DISEASE,
    ),
    _intent(
        "symptom.diseases",
        r"point to|(which|what) (diseases?|conditions?|illness)|哪些病|什么病|哪种病",
        "diseases",
        symptom=("Symptom",),
    ),
    _intent(
        "disease.causes",
        r"\bcaus|\bwhy\b|due to|原因|病因|引起|导致|为什么|怎么得",
        "causes",
        disease=DISEASE,
    ),
    _intent(
        "symptom.diseases",
        r"\bcaus|\bwhy\b|due to|原因|引起|导致|为什么",
        "diseases",
        symptom=("Symptom",),
    ),
    _intent("gene.diseases", r"", "diseases", gene=("Gene",)),
    _intent("disease.profile", r"", "facts", disease=DISEASE),
    _intent("drug.profile", r"", "facts", drug=DRUG),
    _intent("symptom.diseases", r"", "diseases", symptom=("Symptom",)),
)
"""In order: the first whose words and mentions fit a question answers it."""
