"""What a question asks for: its words, mapped to the query that answers it."""

import re
from dataclasses import dataclass
from typing import Final

DISEASE: Final = ("Disease",)
CONDITION: Final = ("Disease", "Symptom")
DRUG: Final = ("Drug",)


@dataclass(frozen=True)
class Intent:
    """A query, the words that ask for it, and whom its parameters stand for."""

    query: str
    """Name in the catalogue."""
    words: re.Pattern[str]
    """In English and Chinese; searched in the question, case aside."""
    mentions: dict[str, tuple[str, ...]]
    """Parameter by name: the node types it may be, first choice first."""
    says: str
    """How the answer is headed; the mention's name stands before it."""


def _intent(query: str, words: str, says: str, **mentions: tuple[str, ...]) -> Intent:
    return Intent(query, re.compile(words, re.IGNORECASE), mentions, says)


INTENTS: Final = (
    _intent(
        "gene.shared",
        r"\bshare|in common|\bboth\b|共同|共有",
        "genes shared with",
        disease=DISEASE,
        other=DISEASE,
    ),
    _intent(
        "drug.avoid_with_condition",
        r"\bavoid|should not (be )?(take|use)|\bunsafe\b|不能(吃|用|服)|禁用|慎用|避免",
        "drugs to avoid",
        condition=("Disease", "Symptom", "Population"),
    ),
    _intent(
        "drug.adverse_reactions",
        r"side.?effect|adverse|副作用|不良反应",
        "adverse reactions",
        drug=DRUG,
    ),
    _intent("drug.interactions", r"\binteract|相互作用|同时(吃|服|用)", "interactions", drug=DRUG),
    _intent(
        "drug.contraindications",
        r"contraindicat|who should not|禁忌",
        "contraindications",
        drug=DRUG,
    ),
    _intent("drug.precautions", r"precaution|careful|注意(事项)?|慎", "precautions", drug=DRUG),
    _intent(
        "drug.indications",
        r"indicat|used for|prescribed|\buses?\b|适应症|治什么|用途|作用",
        "indications",
        drug=DRUG,
    ),
    _intent(
        "disease.excluded_symptoms",
        r"does(n't| not) (have|cause)|\black|没有.*症状",
        "absent symptoms",
        disease=DISEASE,
    ),
    _intent(
        "disease.symptoms",
        r"symptom|\bsigns?\b|look like|feel|症状|表现|征兆",
        "symptoms",
        disease=DISEASE,
    ),
    _intent(
        "disease.risk_factors",
        r"risk|more likely|who gets|风险|危险因素|易感|高发",
        "risk factors",
        disease=DISEASE,
    ),
    _intent(
        "disease.complications",
        r"complicat|lead to|consequence|并发症|后果|引发",
        "complications",
        disease=DISEASE,
    ),
    _intent(
        "disease.diagnosis",
        r"diagnos|\btests?\b|detect|examin|诊断|检查|化验|确诊",
        "diagnosis",
        disease=DISEASE,
    ),
    _intent(
        "disease.prevention",
        r"prevent|avoid getting|protect|预防|防止",
        "prevention",
        disease=DISEASE,
    ),
    _intent(
        "disease.drugs",
        r"\bdrugs?\b|medic(ine|ation)|\bpills?\b|吃什么药|用什么药|药物",
        "drugs",
        disease=DISEASE,
    ),
    _intent(
        "disease.treatments",
        r"treat|therap|cure|manage|治疗|怎么治|怎么办|疗法",
        "treatments",
        disease=DISEASE,
    ),
    _intent(
        "disease.department",
        r"department|specialist|which doctor|科室|挂什么科|看什么科",
        "departments",
        disease=DISEASE,
    ),
    _intent("disease.genes", r"\bgenes?\b|genetic|基因|遗传", "genes", disease=DISEASE),
    _intent(
        "disease.similar",
        r"similar|resembl|like it|confus|类似|相似",
        "similar diseases",
        disease=DISEASE,
    ),
    _intent(
        "symptom.diseases",
        r"point to|which diseases?|what diseases?|what causes|cause|哪些病|什么病|原因|引起",
        "diseases with it",
        symptom=("Symptom",),
    ),
    _intent(
        "disease.causes", r"\bcauses?\b|\bwhy\b|原因|病因|引起|为什么", "causes", disease=DISEASE
    ),
    _intent("gene.diseases", r"", "diseases", gene=("Gene",)),
    _intent("disease.profile", r"", "all facts", disease=DISEASE),
    _intent("drug.profile", r"", "all facts", drug=DRUG),
    _intent("symptom.diseases", r"", "diseases with it", symptom=("Symptom",)),
)
"""In order: the first whose words and mentions fit a question answers it."""
