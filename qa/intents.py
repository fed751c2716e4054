"""What questions ask for: words in English and Chinese, with the queries and triples they ask."""

from dataclasses import replace
from typing import Final

from kg.vocabulary import NODE_TYPES
from qa.intent import Gap, Intent, heads, intent, tails

DISEASE: Final = ("Disease",)
DRUG: Final = ("Drug",)
CONDITION: Final = ("Disease", "Symptom")
MEASURE: Final = ("Procedure", "Behavior", "Food", "Exposure")
ANYTHING: Final = (*DISEASE, *DRUG, *(t for t in NODE_TYPES if t not in ("Disease", "Drug")))
NO_CONDITION: Final = tuple(t for t in ANYTHING if t not in CONDITION)

_TABLE: Final[tuple[Intent, ...]] = (
    intent(
        "gene.shared",
        r"\bshare|in common|\bboth\b|共同|共有",
        "shared genes",
        disease=DISEASE,
        other=DISEASE,
    ),
    intent(
        "entity.statements",
        r"^(can|could|does|do|is|are|may|will)\b.*\b(caus|lead|result|risk|safe|take|use|give|interact)"
        r"|\bhow (are|is|do|does)\b.*\b(relat|connect|link|associat)|\b(relation(ship)?|connection|link|association) between"
        r"|会(不会)?(引起|导致|引发)(?!什么|哪)|[能可].*[吃用服].*吗|能不能|可不可以|有(什么|没有)?关系|的关系",
        "direct statements",
        (Gap(None, "relation"),),
        warns=True,
        one=ANYTHING,
        other=ANYTHING,
    ),
    intent(
        None,
        r"\b(not|n.t|avoid(ed)?)\b.*\b(eat|foods?)|\bfoods?\b.*\bavoid"
        r"|忌口|忌吃|(不能|不宜|不可以)吃(什么|哪些)(?!.*药)",
        "foods to avoid",
        tails("AVOIDED_FOOD"),
        warns=True,
        disease=CONDITION,
    ),
    intent(
        "drug.avoid_with_condition",
        r"\bavoid(?! getting)|(should|must|can|do)( not|n't) (be )?(take|use|give)|can ?not (be )?(take|use)|\bunsafe\b"
        r"|contraindicated|不[能可宜](吃|用|服)|不可以(吃|用|服)|禁用|慎用|忌用|避免.*药",
        "drugs to avoid",
        heads("CONTRAINDICATED_FOR", "HAS_PRECAUTION"),
        warns=True,
        condition=("Disease", "Symptom", "Population"),
    ),
    intent(
        None,
        r"\b(drugs?|medic\w*|pills?)\b.*\b(caus|induc|lead)|药物?.*(引起|导致|引发)",
        "drugs that have it as a reaction",
        heads("HAS_ADVERSE_REACTION"),
        condition=CONDITION,
    ),
    intent(
        None,
        r"\b(does|do|can|may|might|could)\b.*\bcause\W*$|caused by(?!\W*$)|(引起|导致|引发)(什么|哪)",
        "consequences",
        heads("CAUSED_BY", "HAS_RISK_FACTOR"),
        tails("COMPLICATED_BY", "HAS_ADVERSE_REACTION"),
        cause=ANYTHING,
    ),
    intent(
        None,
        r"\b(which|what)\b(?!.*\b(does|do|can|may|might|could)\b).*\b(leads?|results?) (to|in)\b(?!\W*$)"
        r"|complication of (which|what)|哪些.*(引起|导致|引发)(?!什么|哪)",
        "what may lead to it",
        heads("COMPLICATED_BY"),
        tails("CAUSED_BY"),
        heads("HAS_SYMPTOM"),
        condition=CONDITION,
    ),
    intent(
        "drug.adverse_reactions",
        r"side.?effect|adverse|副作用|不良反应",
        "adverse reactions",
        tails("HAS_ADVERSE_REACTION"),
        drug=DRUG,
    ),
    intent(
        "drug.interactions",
        r"\binteract|combine|together|(take|use)n?d? with|相互作用|(同时|一起|一块)(吃|服|用)|合用|同服",
        "interactions",
        tails("INTERACTS_WITH"),
        heads("INTERACTS_WITH"),
        drug=DRUG,
    ),
    intent(
        "drug.contraindications",
        r"contraindicat|\bavoid|who (should|must|can)( ?not|n't)|禁忌|禁用|不[能可宜](吃|用|服)",
        "contraindications",
        tails("CONTRAINDICATED_FOR"),
        warns=True,
        drug=DRUG,
    ),
    intent(
        "drug.precautions",
        r"precaution|careful|注意(事项)?|慎",
        "precautions",
        tails("HAS_PRECAUTION"),
        drug=DRUG,
    ),
    intent(
        "drug.indications",
        r"indicat|used (for|to)|prescribed|\buses?\b|\btreats?\b|treated (by|with)(?!\W*$)|适应症|适应证|治什么|用途|作用|管什么",
        "indications",
        tails("INDICATED_FOR", "USED_OFF_LABEL_FOR"),
        heads("TREATED_BY"),
        drug=DRUG,
    ),
    intent(
        "disease.excluded_symptoms",
        r"does(n't| not) (have|cause)|\black|没有.*症状",
        "absent symptoms",
        tails("LACKS_SYMPTOM"),
        warns=True,
        disease=CONDITION,
    ),
    intent(
        "disease.symptoms",
        r"symptom|\bsigns?\b|look like|feel|know (if|whether)|症状|表现|征兆|迹象",
        "symptoms",
        tails("HAS_SYMPTOM"),
        disease=CONDITION,
    ),
    intent(
        None,
        r"\bis\b.*\ba risk factor\b|(raise|increase)s? the risk|是(什么|哪).*危险因素",
        "what it makes more likely",
        heads("HAS_RISK_FACTOR"),
        factor=ANYTHING,
    ),
    intent(
        "disease.risk_factors",
        r"risk|more likely|who gets|风险|危险因素|易感|高发|高危|(哪些|什么|哪类)人",
        "risk factors",
        tails("HAS_RISK_FACTOR"),
        disease=CONDITION,
    ),
    intent(
        "disease.complications",
        r"complicat|lead to|consequence|并发症|后果|引发|危害",
        "complications",
        tails("COMPLICATED_BY"),
        disease=CONDITION,
    ),
    intent(
        "disease.diagnosis",
        r"diagnos|\btest(s|ed)?\b|detect|examin|\bscreen|诊断|检查|化验|确诊",
        "diagnosis",
        tails("DIAGNOSED_BY"),
        disease=CONDITION,
    ),
    intent(
        "disease.prevention",
        r"prevent|avoid getting|protect|预防|防止|避免",
        "prevention",
        tails("PREVENTED_BY"),
        disease=CONDITION,
    ),
    intent(
        None,
        r"\b(eat|foods?|diet)\b|吃什么(?!.*药)|饮食|食疗",
        "foods",
        tails("RECOMMENDED_FOOD"),
        disease=CONDITION,
    ),
    intent(
        "disease.drugs",
        r"\bdrugs?\b|medic(ine|ation)|\bpills?\b|[吃用](什么|啥|哪些|哪种)药|药物",
        "drugs",
        tails("TREATED_BY"),
        heads("INDICATED_FOR", "USED_OFF_LABEL_FOR"),
        finds=DRUG,
        disease=CONDITION,
    ),
    intent(
        "disease.treatments",
        r"treat|therap|cure|manage|治疗|怎么治|怎么办|疗法|治好|治愈|根治",
        "treatments",
        tails("TREATED_BY"),
        heads("INDICATED_FOR"),
        disease=CONDITION,
    ),
    intent(
        "disease.department",
        r"department|specialist|which doctor|科室|[挂看](什么|哪个|啥)科",
        "departments",
        tails("MANAGED_IN"),
        disease=CONDITION,
    ),
    intent(
        None,
        r"\binherit|heredit|runs? in|遗传(方式|模式)|会(不会)?遗传",
        "modes of inheritance",
        tails("HAS_INHERITANCE"),
        disease=DISEASE,
    ),
    intent(
        "disease.genes",
        r"\bgenes?\b|genetic|inherit|heredit|runs? in|基因|遗传",
        "genes",
        heads("ASSOCIATED_WITH"),
        finds=("Gene",),
        disease=CONDITION,
    ),
    intent(
        None,
        r"\bwhere\b.*\b(occur|located)|part of the body|which (body|organ)|部位|哪个器官",
        "places in the body",
        tails("OCCURS_IN"),
        disease=CONDITION,
    ),
    intent(
        None,
        r"(what|which) (kind|type|sort|form) of|属于(什么|哪)",
        "what it is a kind of",
        tails("IS_A"),
        thing=ANYTHING,
    ),
    intent(
        None,
        r"\b(kinds|types|forms|subtypes) of\b|(哪些|什么)(类型|种类)|哪几种|分类",
        "kinds of it",
        heads("IS_A"),
        thing=ANYTHING,
    ),
    intent(
        "disease.similar",
        r"similar|resembl|like it|confus|类似|相似",
        "similar diseases",
        tails("RESEMBLES"),
        heads("RESEMBLES"),
        disease=CONDITION,
    ),
    intent(
        "symptom.diseases",
        r"point to|(which|what) (diseases?|conditions?|illness)|哪些病|什么病|哪种病",
        "diseases",
        heads("HAS_SYMPTOM"),
        symptom=("Symptom",),
    ),
    intent(
        "disease.causes",
        r"\bcaus|\bwhy\b|due to|原因|病因|引起|导致|为什么|怎么得",
        "causes",
        tails("CAUSED_BY"),
        disease=CONDITION,
    ),
    intent(
        "symptom.diseases",
        r"\bcaus|\bwhy\b|due to|原因|引起|导致|为什么",
        "diseases",
        heads("HAS_SYMPTOM"),
        tails("CAUSED_BY"),
        symptom=("Symptom",),
    ),
    intent(
        None,
        r"risk|风险|危险因素",
        "what it makes more likely",
        heads("HAS_RISK_FACTOR"),
        factor=NO_CONDITION,
    ),
    intent(
        None,
        r"\btreat(s|ed)?\b|used (for|to)|治疗?(什么|哪)",
        "what it treats",
        heads("TREATED_BY"),
        measure=MEASURE,
    ),
    intent(
        None,
        r"prevent|预防",
        "what it prevents",
        heads("PREVENTED_BY"),
        measure=(*DRUG, *MEASURE, "Test", "Precaution"),
    ),
    intent(
        None,
        r"diagnos|detect|reveal|used (for|to)|诊断|查什么",
        "what it diagnoses",
        heads("DIAGNOSED_BY"),
        test=("Test", "Procedure"),
    ),
    intent(
        None,
        r"inherit|heredit|遗传",
        "diseases that are so inherited",
        heads("HAS_INHERITANCE"),
        mode=("Inheritance",),
    ),
    intent(
        None,
        r"diseas|condition|disorder|syndrome|associat|link|relat|caus|involv|病|相关",
        "what it is associated with",
        tails("ASSOCIATED_WITH"),
        gene=("Gene",),
    ),
    intent(
        None,
        r"\btargets?\b|\bbinds?\b|靶点",
        "targets",
        tails("TARGETS", "BINDS"),
        drug=DRUG,
    ),
    intent("gene.diseases", r"", "diseases", gene=("Gene",)),
    intent("disease.profile", r"", "facts", disease=CONDITION),
    intent("drug.profile", r"", "facts", drug=DRUG),
    intent("symptom.diseases", r"", "diseases", symptom=("Symptom",)),
)

_OF_SYMPTOMS_TOO: Final = (
    "risk factors",
    "diagnosis",
    "prevention",
    "drugs",
    "treatments",
    "departments",
    "genes",
)

INTENTS: Final = (
    *_TABLE,
    *(
        replace(of_disease, query=None, subjects={"symptom": ("Symptom",)})
        for of_disease in _TABLE
        if of_disease.says in _OF_SYMPTOMS_TOO
    ),
)
"""In order: the first whose words and mentions fit a question answers it.

Those without a query stand where they keep a question for triples from being read the wrong way
round; ``qa.ask`` passes over them."""
