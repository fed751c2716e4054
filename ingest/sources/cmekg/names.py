"""What the ends of a triple are: names of things, or texts; and of what type, where a name tells."""

import re
from typing import Final, NamedTuple

from ingest.sources.formats.chinese.names import clean, plain_text, unusable, unusable_text

TYPE_WORDS: Final = {
    "疾病": "Disease",
    "症状": "Symptom",
    "药物": "Drug",
    "药品": "Drug",
    "检查": "Test",
    "手术治疗": "Procedure",
    "其他治疗": "Procedure",
    "部位": "Anatomy",
    "身体": "Anatomy",
    "科室": "Department",
    "微生物": "Organism",
    "人群": "Population",
    **dict.fromkeys(("流行病学", "社会学", "预后", "诊疗", "属性", "其他"), None),
}
"""Node types by CMeKG's and CMeIE's words; None for words that name no one type."""

_NUMBER: Final = re.compile(r"^\(?（?\d{1,2}\)?）?[\uff0e.、)）]\s*(?!\d)")
_SENTENCE: Final = re.compile(r"[。；;！!？，、]|,\s|\n")
_PURPOSE: Final = re.compile(r"^(?:亦|可|适)?用于|^(?:改善|缓解|促进)")
_LONGEST_NAME: Final = 30
_TYPE_PATTERNS: Final = tuple(
    (node_type, re.compile(pattern))
    for node_type, pattern in (
        ("Behavior", r"^(?:吸烟|饮酒|酗酒|嗜酒|熬夜|久坐|过度劳累|缺乏运动|暴饮暴食)$"),
        (
            "Population",
            r"(?:者|患者|病人|人群|人员|妇女|孕妇|产妇|儿童|婴儿|婴幼儿|幼儿|新生儿|早产儿|老年人|成年人|青少年|男性|女性)$",
        ),
        ("Organism", r"(?:菌|病毒|衣原体|支原体|螺旋体|立克次体|原虫|绦虫|线虫|吸虫|蛔虫)$"),
        (
            "Disease",
            r"(?:病|症|炎|癌|瘤|综合征|综合症|感染|中毒|骨折|梗死|梗塞|硬化|衰竭|畸形|结核|哮喘|高血压)$",
        ),
    )
)


class Name(NamedTuple):
    """What one end of a triple is."""

    written: str
    name: str
    text: str
    problem: str | None
    """Why it names nothing."""
    is_text: bool
    """Not the name of one entity: a sentence, a purpose, or several names."""
    kind: str | None
    """The type by the name's last characters."""


def read_name(written: str) -> Name:
    """Read one end."""
    text = plain_text(written)
    name = _NUMBER.sub("", clean(written))
    is_text = len(name) > _LONGEST_NAME or bool(_SENTENCE.search(name) or _PURPOSE.search(name))
    problem = unusable_text(text) if is_text else unusable(name)
    kind = next((kind for kind, pattern in _TYPE_PATTERNS if pattern.search(name)), None)
    return Name(written, name, text, problem, is_text, None if is_text else kind)
