"""The intents of questions: words in English and Chinese, with the queries and triples that answer."""

import re
from typing import Final

from kg.vocabulary import NODE_TYPES
from qa.intent import Gap, Intent, Kind, heads, intent, tails

DISEASE: Final = ("Disease",)
DRUG: Final = ("Drug",)
CONDITION: Final = ("Disease", "Symptom")
MEASURE: Final = ("Procedure", "Behavior", "Food", "Exposure")
ANYTHING: Final = (*DISEASE, *DRUG, *(t for t in NODE_TYPES if t not in ("Disease", "Drug")))
NO_CONDITION: Final = tuple(t for t in ANYTHING if t not in CONDITION)

INTENTS: Final[tuple[Intent, ...]] = (
    intent(
        "gene.shared",
        r"\bshare|in common|\bboth\b|共同|共有",
        "shared genes",
        disease=DISEASE,
        other=DISEASE,
        example="Which genes do gout and asthma share?",
        but_not="Which genes cause gout?",
    ),
    intent(
        "entity.statements",
        r"\bhow (are|is|do|does)\b.*\b(relat|connect|link|associat)|\b(relation(ship)?|connection|link|association) between"
        r"|有(什么|没有)?关系|的关系|有关吗",
        "direct statements",
        (Gap(None, "relation"),),
        warns=True,
        one=ANYTHING,
        other=ANYTHING,
        example="How are gout and asthma related?",
        but_not="What can cause asthma?",
    ),
    intent(
        None,
        r"\b(not|n.t|avoid(ed)?)\b.*\b(eat|foods?)|\b(foods?|eat)\b.*\b(avoid|bad for|not\b)"
        r"|忌口|忌吃|忌食|(不.{0,3}|别|少)[吃喝](什么|哪些|啥)(?!.*药)",
        "foods to avoid",
        tails("AVOIDED_FOOD"),
        warns=True,
        otherwise="food, drink and habits that make it likelier",
        disease=CONDITION,
        example="What foods should be avoided in gout?",
        but_not="痛风不能吃什么药",
    ),
    intent(
        None,
        r"\b(foods?|eat|drinks?|diet|habits?)\b.*\b(worse|likelier|harm|cause)|(吃|喝)(什么|啥|哪些).*(加重|恶化)",
        "food, drink and habits that make it likelier",
        tails("HAS_RISK_FACTOR"),
        warns=True,
        answer_types=("Food", "Exposure", "Behavior"),
        disease=CONDITION,
        example="Which foods make gout worse?",
        but_not="Which foods help against gout?",
    ),
    intent(
        None,
        r"\b(foods?|eat(ing)?|drink(ing)?|diet)\b|忌口|(吃|喝)(什么|啥|哪些)(?!.*药)|饮食|食物",
        "food to mind",
        tails("INTERACTS_WITH", "CONTRAINDICATED_FOR", "HAS_PRECAUTION"),
        heads("INTERACTS_WITH"),
        answer_types=("Food", "Exposure", "Behavior", "Precaution"),
        warns=True,
        drug=DRUG,
        example="Which foods should be avoided with warfarin?",
        but_not="Which drugs interact with warfarin?",
    ),
    intent(
        None,
        r"\b(active )?ingredients?\b|\b(generic|chemical|other) name|what('s| is) in\b|made (up )?of|\bcontains?\b|\b(drugs?|medicines?) (is|are) in\b"
        r"|成分|成份|通用名|化学名|学名|含有?(什么|哪)",
        "active ingredients",
        tails("HAS_INGREDIENT"),
        kind="about",
        drug=DRUG,
        example="What is the active ingredient of Tylenol?",
        but_not="What is Tylenol used for?",
    ),
    intent(
        None,
        r"\b(which|what)( \w+){0,2} (bugs?|germs?|microbes?|virus(es)?|bacteri(a|um)|parasites?|fung(i|us)|pathogens?)\b"
        r"|\b(bug|germ|virus|bacteria|bacterium|parasite|fungus) (that )?(causes?|gives?|is behind|brings?)"
        r"|(什么|哪种|啥)(病毒|细菌|病菌|真菌|病原体?|寄生虫|虫)",
        "germs that cause it",
        tails("CAUSED_BY"),
        kind="cause",
        answer_types=("Organism",),
        otherwise="causes",
        disease=CONDITION,
        example="Which germ causes tetanus?",
        but_not="What causes tetanus?",
    ),
    intent(
        None,
        r"trigger|flare|\bsets? (it |\w+ )?off\b|\bbrings? (it |them |\w+ )?on\b|诱因|诱发",
        "triggers",
        tails("CAUSED_BY", "HAS_RISK_FACTOR"),
        kind="cause",
        otherwise="causes",
        disease=CONDITION,
        example="What triggers migraine?",
        but_not="What helps against migraine?",
    ),
    intent(
        "drug.avoid_with_condition",
        r"\bavoid(?! getting)|(should|must|can|do)( not|n't) (be )?(take|use|give)|can ?not (be )?(take|use)|\bunsafe\b"
        r"|contraindicated|不[能可宜要](吃|用|服)|不可以(吃|用|服)|禁用|慎用|忌用|避免.*药",
        "drugs to avoid",
        heads("CONTRAINDICATED_FOR", "HAS_PRECAUTION"),
        warns=True,
        condition=("Disease", "Symptom", "Population"),
        example="Which drugs should be avoided in asthma?",
        but_not="How do I avoid getting asthma?",
    ),
    intent(
        None,
        r"\b(drugs?|medic\w*|pills?)\b.*\b(caus|induc|lead)|药物?.*(引起|导致|引发)",
        "drugs that have it as a reaction",
        heads("HAS_ADVERSE_REACTION"),
        kind="cause",
        condition=CONDITION,
        example="哪些药物会引起咳嗽",
        but_not="Which drugs relieve cough?",
    ),
    intent(
        None,
        r"\b(does|do|can|may|might|could)\b.*\bcause\W*$|caused by(?!\W*$)|(引起|导致|引发)(什么|哪)",
        "consequences",
        heads("CAUSED_BY", "HAS_RISK_FACTOR"),
        tails("COMPLICATED_BY", "HAS_ADVERSE_REACTION"),
        cause=ANYTHING,
        example="What can gout cause?",
        but_not="What is gout caused by?",
    ),
    intent(
        None,
        r"\b(which|what)\b(?!.*\b(does|do|can|may|might|could)\b).*\b(leads?|results?) (to|in)\b(?!\W*$)"
        r"|complication of (which|what)|哪些.*(引起|导致|引发)(?!什么|哪)",
        "what may lead to it",
        heads("COMPLICATED_BY"),
        tails("CAUSED_BY"),
        heads("HAS_SYMPTOM"),
        kind="cause",
        otherwise="causes",
        condition=CONDITION,
        example="What leads to gout?",
        but_not="What can gout lead to?",
    ),
    intent(
        "drug.adverse_reactions",
        r"side.?[ea]f+ect|adverse|what happens (if|when)|[副付负][作做]用|不良反[应映]|坏处|会怎么?样|伤(身|胃|肝|肾)",
        "adverse reactions",
        tails("HAS_ADVERSE_REACTION"),
        drug=DRUG,
        example="阿司匹林的副作用",
        but_not="What does aspirin treat?",
    ),
    intent(
        "drug.interactions",
        r"\binteract|combine|\bmix(ed|ing)?\b|together|(take|use)n?d? with|[相交]互作用|(同时|一起|一块)(吃|服|用)|合用|同服",
        "interactions",
        tails("INTERACTS_WITH"),
        heads("INTERACTS_WITH"),
        drug=DRUG,
        example="阿司匹林和布洛芬能一起吃吗",
        but_not="阿司匹林怎么吃",
    ),
    intent(
        "drug.contraindications",
        r"contraindicat|\bavoid|who (should|must|can)( ?not|n't)|\b(not|never) (be )?(given|taken|used|prescribed)\b"
        r"|禁忌|禁用|不[能可宜](吃|用|服)|(哪些|什么|哪类)人(不|禁|忌)",
        "contraindications",
        tails("CONTRAINDICATED_FOR"),
        warns=True,
        drug=DRUG,
        example="Who should not take aspirin?",
        but_not="Who discovered aspirin?",
    ),
    intent(
        "drug.precautions",
        r"precaution|careful|注意(事项)?|慎",
        "precautions",
        tails("HAS_PRECAUTION"),
        drug=DRUG,
        example="服用阿司匹林要注意什么",
        but_not="阿司匹林治什么",
    ),
    intent(
        "drug.indications",
        r"\bindicat|used (for|to)|\bwhat('s|s| is| are)\b.{0,40}\bfor\W*$|prescribed|\buses?\b|good for|help with|\btreats?\b|treated (by|with)(?!\W*$)"
        r"|prescri(be|ption)|(?<!\bit )\b(given|taken?|taking) (it )?for\b|\b(which|what) (\w+ )?(conditions?|illness\w*|diseases?)\b"
        r"|适应症|适应证|治(疗)?(什么|啥)|用途|作用|功效|管什么|管啥|干[什嘛]",
        "indications",
        tails("INDICATED_FOR", "USED_OFF_LABEL_FOR"),
        heads("TREATED_BY"),
        kind="treatment",
        drug=DRUG,
        example="What is allopurinol used for?",
        but_not="What is allopurinol treated by?",
    ),
    intent(
        "disease.excluded_symptoms",
        r"does(n't| not) (have|cause)|\black|没有.*症状",
        "absent symptoms",
        tails("LACKS_SYMPTOM"),
        kind="symptom",
        warns=True,
        disease=CONDITION,
        example="痛风没有什么症状",
        but_not="痛风有什么症状",
    ),
    intent(
        "disease.symptoms",
        r"symptom|\bsigns?\b|look like|feel|know (if|whether)|症状|体征|表现|[征前先]兆|征象|迹象|特征|[啥咋]样|(是|什么)样(子|的(?!人))",
        "symptoms",
        tails("HAS_SYMPTOM"),
        kind="symptom",
        disease=CONDITION,
        example="痛风有什么症状",
        but_not="痛风怎么治疗",
    ),
    intent(
        None,
        r"\bis\b.*\ba risk factor\b|(?<!what )(?<!which )(?<!that )(raise|increase)s? the risk|是(什么|哪).*危险因[素子]",
        "what it makes more likely",
        heads("HAS_RISK_FACTOR"),
        kind="at risk",
        factor=ANYTHING,
        example="Which diseases is smoking a risk factor for?",
        but_not="What are the risk factors of gout?",
    ),
    intent(
        "disease.prevention",
        r"prevent|avoid getting|(stop|keep from) (getting|having)|protect|vaccin|immuni[sz]|ward off"
        r"|\b(lower|reduc|decreas|cut)\w*\b.*\b(risk|chance)|预防|防止|避免|疫苗|怎[么样]防|如何防|降低.*风险",
        "prevention",
        tails("PREVENTED_BY"),
        kind="prevention",
        disease=CONDITION,
        example="How can gout be prevented?",
        but_not="How is gout treated?",
    ),
    intent(
        "disease.risk_factors",
        r"risk|(more|most) likely|who (gets|can get)|susceptib|prone|chances? of (getting|having)"
        r"|风险|危险因[素子]|易感|高发|高危|容易(得|患)|(哪些|什么|哪类|啥)人",
        "risk factors",
        tails("HAS_RISK_FACTOR"),
        kind="at risk",
        disease=CONDITION,
        example="Who gets gout?",
        but_not="What is gout?",
    ),
    intent(
        "disease.complications",
        r"complicat|lead to|consequence|untreated|long.?term effects?|\bharm|what happens (if|when)|并发症|合并症|后遗症|后果|引发|危害",
        "complications",
        tails("COMPLICATED_BY"),
        disease=CONDITION,
        example="痛风的并发症",
        but_not="痛风的病因",
    ),
    intent(
        "disease.diagnosis",
        r"diagnos|\btest(s|ed|ing)?\b|detect|examin|\bscreen|\b(can|do|does|would|will) (doctors?|a doctor|the doctors?|you|they) (tell|know|find|check|confirm|spot|make sure)"
        r"|\bhow (is|are|was|were) (\w+ ){1,5}?(found|spotted|picked up|confirmed|checked for)\b"
        r"|诊断|检[查验]|化验|筛[检查]|确诊|怎么查|查什么|查啥|怎么(判断|知道)|如何判断",
        "diagnosis",
        tails("DIAGNOSED_BY"),
        kind="diagnosis",
        disease=CONDITION,
        example="How is gout diagnosed?",
        but_not="How is gout treated?",
    ),
    intent(
        None,
        r"\b(eat|foods?|diet)\b|(吃|喝)(什么|啥|哪些)(?!.*药)|饮食|食疗|食补",
        "foods",
        tails("RECOMMENDED_FOOD"),
        disease=CONDITION,
        example="痛风吃什么",
        but_not="痛风吃什么药",
    ),
    intent(
        "disease.drugs",
        r"\bdrugs?\b|medic(ine|ation)|\bmeds\b|\bpills?\b|\b(which|what|any) (\w+ )?(antibiotics?|antivirals?|pain ?killers?|creams?|ointments?|tablets?|inhalers?|drops|sprays?|syrups?|steroids?|antidepressants?|statins?|injections?|shampoos?|lotions?)\b|(what|which|anything) (can|could|may|should|do|to) (\w+ ){0,4}?(take|give)\b|\b(what|which) (\w+ ){1,3}?(do|does|did|can|should|will|are|is) (\w+ ){0,3}?(give|given|take|taken|use|used|prescribed?)\b|\b(what|which|anything)('?s| is| are)? (\w+ ){0,2}?(safe|ok|okay) (for (me|us|her) )?to (take|use|give)\b"
        r"|(什么|啥|哪些|哪种|哪几种|何种)((靶向|口服|外用|中成|中|西|处方|降压|降糖|降脂)?药|软?膏|洗剂|洗发水|抗生素|消炎药|止痛药|止疼药|退烧药|眼药水|滴耳液|喷雾|针)|药[物品]|用药|[抹涂擦]点?(什么|啥)|用(什么|啥)(洗|擦|抹|涂)",
        "drugs",
        tails("TREATED_BY"),
        heads("INDICATED_FOR", "USED_OFF_LABEL_FOR"),
        kind="treatment",
        answer_types=DRUG,
        otherwise="treatments",
        disease=CONDITION,
        example="痛风吃什么药",
        but_not="痛风吃什么",
    ),
    intent(
        "disease.treatments",
        r"(?<!doctor )(?<!doctors )(?<!specialist )treat|therap|(what|which|anything).{0,20}\b(given|prescribed|used|taken) (for|against)|help\w* against|\bcur(e[ds]?|able|ing)\b|manag(e|ing)|get rid of|remed(y|ies)|\bheal|reliev|relief|surgery"
        r"|what (helps|works|to do|can i do|should i do|do i do)|(what|which|anything)('?s| is)( the)? (good|best)( (thing|stuff|remedy|cure|way))? (for|against)|\bdo (about|for|against)\b|deal with|\bcop(e|ing)\b|sooth|\bease\b"
        r"|\blook(ing|ed)? after|\b(tak(e|ing) )?car(e|ing) (for|of)\b|\bnurs(e|ing) (some|an?|the|him|her|my)|first aid|\bliv(e|ing) with\b"
        r"|治疗|[怎咋]么?[治办整]|如何治|疗法|治好|治愈|根治|能治|缓解|调理|怎么(处理|恢复|才能好|好得快|补|退|止|消|应对)|护理|照[顾护料]|如何(处理|应对)|(要|该|应该|需要)?注意(些?什么|啥|哪些|事项)|偏方|能好吗|会好吗|好得了|开刀|动手术|手术吗|怎样(治|缓解|处理|护理)|咋(处理|缓解|护理|弄)",
        "treatments",
        tails("TREATED_BY"),
        heads("INDICATED_FOR"),
        kind="treatment",
        otherwise="drugs",
        disease=CONDITION,
        example="感冒了怎么办",
        but_not="感冒是什么",
    ),
    intent(
        "disease.department",
        r"department|specialist|(which|what (kind|type|sort) of) doctor|who should i see"
        r"|科室|哪个?科|(什么|哪一|啥)科(?!学|普)|[挂看](什么|啥)号|找(什么|哪).*医生",
        "departments",
        tails("MANAGED_IN"),
        disease=CONDITION,
        example="痛风挂什么科",
        but_not="痛风是什么病",
    ),
    intent(
        None,
        r"\binherit|heredit|runs? in|遗传(方式|模式)|(会|怎么|如何)(不会)?(是)?遗传|是遗传性?疾?病",
        "modes of inheritance",
        tails("HAS_INHERITANCE"),
        disease=DISEASE,
        example="How is Marfan syndrome inherited?",
        but_not="Which genes cause Marfan syndrome?",
    ),
    intent(
        "disease.genes",
        r"\bgenes?\b|genetic|inherit|heredit|runs? in|基因|遗传",
        "genes",
        heads("ASSOCIATED_WITH"),
        kind="cause",
        answer_types=("Gene",),
        disease=CONDITION,
        example="Which genes cause Marfan syndrome?",
        but_not="What causes general weakness?",
    ),
    intent(
        None,
        r"\bwhere\b.*\b(occur|located)|part of the body|which (body|organ)|部位|哪个器官",
        "places in the body",
        tails("OCCURS_IN"),
        kind="about",
        disease=CONDITION,
        example="Where in the body is gout located?",
        but_not="Where can I buy aspirin?",
    ),
    intent(
        None,
        r"(what|which) (kind|type|sort|class|family|group) of (drug|medic\w*|antibiotic|pill|tablet|x+)|(which|what) (drug )?(class|family|group)\b|属于(什么|哪)|哪一?类|什么类",
        "drug classes",
        tails("IN_CLASS", "IS_A"),
        kind="about",
        drug=DRUG,
        example="Which class of drugs is aspirin?",
        but_not="Which drugs treat gout?",
    ),
    intent(
        None,
        r"(what|which) (kind|type|sort|form) of|属于(什么|哪)",
        "what it is a kind of",
        tails("IS_A"),
        kind="about",
        thing=ANYTHING,
        example="What kind of disease is gout?",
        but_not="What types are there of gout?",
    ),
    intent(
        None,
        r"\b(kinds|types|forms|subtypes) (of|are|exist|do)\b|[有分]哪?几[种类型]|(哪些|什么)(类型|种类)|哪几种(?!.{0,3}药)|分类",
        "kinds of it",
        heads("IS_A"),
        kind="about",
        thing=ANYTHING,
        example="糖尿病有哪些类型",
        but_not="糖尿病属于什么病",
    ),
    intent(
        "disease.similar",
        r"similar|resembl|like it|confus|mistaken for|类似|相似|混淆|(很|相)像",
        "similar diseases",
        tails("RESEMBLES"),
        heads("RESEMBLES"),
        disease=CONDITION,
        example="Which diseases are similar to gout?",
        but_not="Which diseases cause pain?",
    ),
    intent(
        "symptom.diseases",
        r"point to|(which|what) (diseases?|conditions?|illness)|(could|might|can|may) (it|this|that) (be|mean)"
        r"|what('s| is) wrong|sign of|what do i have|哪些病|什么病|哪种病|啥病|可能是什么",
        "diseases",
        heads("HAS_SYMPTOM"),
        kind="cause",
        symptom=("Symptom",),
        example="发热是什么病",
        but_not="发热怎么办",
    ),
    intent(
        "disease.causes",
        r"\bcaus|\bwhy\b|due to|reasons? (for|of|behind)|come from|bring\w* (\w+ )?on\b|trigger"
        r"|(what|which)( \w+){0,2} (gives?|makes?) (you|me|one|us|people|someone|somebody)\b"
        r"|how (do|does|did|can) (u|you|i|one|people|somebody|someone|anyone|a person|we|they|he|she|\w+) (get(?! rid)|contract|develop)\b"
        r"|缺(什么|啥|哪|的是)|什么(病毒|细菌|病菌|虫)|原因|病因|诱因|引起|导致|为什么|为啥|怎么(得|来的|引起|造成|形成)|怎么会得|咋得|怎么回事|咋回事|怎么了|是怎么[啦了]",
        "causes",
        tails("CAUSED_BY"),
        kind="cause",
        otherwise="diseases",
        disease=CONDITION,
        example="为什么会得痛风",
        but_not="痛风有什么症状",
    ),
    intent(
        "symptom.diseases",
        r"\bcaus|\bwhy\b|due to|reasons? (for|of|behind)|come from|bring\w* (\w+ )?on\b|trigger|(what|which)( \w+){0,2} (gives?|makes?) (you|me|one|us|people|someone|somebody)\b"
        r"|原因|引起|导致|为什么|为啥|怎么(来的|引起)",
        "diseases",
        heads("HAS_SYMPTOM"),
        tails("CAUSED_BY"),
        kind="cause",
        symptom=("Symptom",),
        example="Why do I cough?",
        but_not="How long does a cough last?",
    ),
    intent(
        None,
        r"risk|harm|bad for|danger|风险|危险因[素子]|危害|坏处|后果",
        "what it makes more likely",
        heads("HAS_RISK_FACTOR"),
        kind="at risk",
        factor=NO_CONDITION,
        example="吸烟有什么风险",
        but_not="吸烟的好处",
    ),
    intent(
        None,
        r"\btreat(s|ed)?\b|used (for|to)|治疗?(什么|哪)",
        "what it treats",
        heads("TREATED_BY"),
        kind="treatment",
        measure=MEASURE,
        example="What is physiotherapy used for?",
        but_not="What is physiotherapy?",
    ),
    intent(
        None,
        r"prevent|预防",
        "what it prevents",
        heads("PREVENTED_BY"),
        kind="prevention",
        measure=(*DRUG, *MEASURE, "Test", "Precaution"),
        example="运动能预防什么",
        but_not="运动治疗什么",
    ),
    intent(
        None,
        r"diagnos|detect|reveal|used (for|to)|诊断|查什么",
        "what it diagnoses",
        heads("DIAGNOSED_BY"),
        kind="diagnosis",
        test=("Test", "Procedure"),
        example="What does an X-ray reveal?",
        but_not="What is an X-ray?",
    ),
    intent(
        None,
        r"inherit|heredit|遗传",
        "diseases that are so inherited",
        heads("HAS_INHERITANCE"),
        mode=("Inheritance",),
        example="Which diseases are inherited this way?",
        but_not="Which diseases are infectious?",
    ),
    intent(
        "gene.diseases",
        r"diseas|condition|disorder|syndrome|associat|link|relat|caus|involv|病|相关",
        "what it is associated with",
        tails("ASSOCIATED_WITH"),
        gene=("Gene",),
        example="Which diseases is FBN1 linked to?",
        but_not="What is FBN1?",
    ),
    intent(
        None,
        r"\btargets?\b|\bbinds?\b|\bhow (do|does)\b.*\bwork|mechanism|靶点|作用(机制|机理|原理)|(怎么|如何)起作用",
        "targets",
        tails("TARGETS", "BINDS"),
        drug=DRUG,
        example="What does aspirin target?",
        but_not="What does aspirin treat?",
    ),
    intent("gene.diseases", r"", "diseases", kind="about", gene=("Gene",), example="FBN1"),
    intent("disease.profile", r"", "facts", kind="about", disease=DISEASE, example="gout"),
    intent(
        "drug.profile",
        r"",
        "facts",
        kind="about",
        otherwise="indications",
        drug=DRUG,
        example="aspirin",
    ),
    intent(
        "symptom.diseases",
        r"",
        "diseases",
        kind="cause",
        otherwise="facts",
        symptom=("Symptom",),
        example="cough",
    ),
    intent("disease.profile", r"", "facts", kind="about", disease=("Symptom",), example="cough"),
)
"""In order: the first whose words and subjects fit a question answers it."""


def _unsaid(
    words: str, heading: str, kind: Kind = "other", *, example: str, but_not: str
) -> Intent:
    return intent(
        None, words, heading, kind=kind, example=example, but_not=but_not, thing=ANYTHING
    )


UNSAID: Final[tuple[Intent, ...]] = (
    _unsaid(
        r"\b(off|back|return\w*|stay\w*|away|miss\w*|keep\w*|exclu\w*|go(ing|es)?|sent|send)( \w+){0,3} (school|nursery|nurseries|kindergarten|day ?care|work)\b"
        r"|上学|返校|复课|(去|回|送)(学校|幼儿园)|上(幼儿园|班)|请(多久|几天)假|隔离(多久|几天|多长)",
        "staying away from school or work",
        example="When can my son go back to school after gout?",
        but_not="How long does chickenpox last?",
    ),
    _unsaid(
        r"outlook|prognos|life expectan|surviv|how long (\w+ ){0,6}(live|last|take|recover)|\b(fatal|deadly|die (of|from)|kill)\b"
        r"|go(es)? away|recover|\bserious\b|\bdangerous\b|life.?threatening|how bad\b|get(s|ting)? (any )?(better|worse)|com(e|es|ing) back|recur|permanent|for life\b"
        r"|(turns?|become|develop) (in)?to (a )?cancer"
        r"|预后|寿命|存活|生存率|能活|多久(能|可以|才能|会)?(好|痊愈|恢复)|自愈|会死|致命|严[不]?严?重[吗么]|要紧|危险[吗么]|(会|容易)(不会)?(复发|反复|恶化|癌变|恶变)|变成癌|癌变|断根|除根|自己好",
        "outlook",
        "outlook",
        example="How long do people with gout live?",
        but_not="How is gout treated?",
    ),
    intent(
        None,
        r"how long|多久|多长时间|(几|多少)天(能|可以|才|会)?好|周期|疗程",
        "outlook",
        kind="outlook",
        condition=CONDITION,
        example="How long does a cold take?",
        but_not="What is a cold?",
    ),
    _unsaid(
        r"\b(when|should)\b.{0,20}\b(worry|worried|worrying|concerned)\b|\b(when|should|do|need|must|worth|have)\b.{0,30}\b(see|seeing|go(ing)? to|call(ing)?|visit(ing)?|get to|take \w+ to|ring) (a |an |the |my |her |his |our )?(doctors?|gp|hospital|a ?& ?e|emergency|er)\b"
        r"|(什么时候|何时|什么情况|啥时候|多少度|几度|[要需]不?[要需]?).{0,4}(去|看|上|跑)(一下|趟)?(医院|医生|大夫|急诊)|用不用(去|看)(医院|医生)",
        "when to see a doctor",
        example="When should I see a doctor about a cough?",
        but_not="Which doctor treats gout?",
    ),
    _unsaid(
        r"how (common|rare|often|frequent)|how many (people|cases|children|men|women|of)|prevalen|incidence|发病率|患病率|常见吗|多少人",
        "frequency",
        example="How common is gout?",
        but_not="What are common drugs for gout?",
    ),
    _unsaid(
        r"contagious|infectious(?! (disease|agent))|transmi(t|ssion)|spread|pass(ed)? (it )?on|catching|\bcatch (it|this|that|x+)|\b(how|where) (do|does|did|can) \w+ catch|\binfect (others|other|people|me|my)|give it to|传染|传播|传给|会不?会?传|过(给|人)",
        "how it spreads",
        example="Is influenza contagious?",
        but_not="What is influenza?",
    ),
    _unsaid(
        r"differen|\bvs\b|versus|\btell (\w+ ){1,5}(apart|from)\b|distinguish|怎么(区分|分辨|鉴别)|如何(区分|分辨|鉴别)|分不清|区别|差别|不同|哪个(更)?(好|严重)",
        "differences",
        example="What is the difference between gout and arthritis?",
        but_not="Are gout and arthritis alike?",
    ),
    _unsaid(
        r"dos(e|age|ing)|how (much|long)|when should|剂量|用量|吃多少|几片|多久|多长时间|什么时候",
        "amounts and times",
        example="What is the dose of aspirin?",
        but_not="What is aspirin?",
    ),
    _unsaid(
        r"research|clinical trial|stud(y|ies)\b|statistic|研究|临床试验",
        "research",
        example="What research is there on gout?",
        but_not="What is gout?",
    ),
    _unsaid(
        r"\bstages?\b|\bgrades?\b|分期|几期|早期|晚期",
        "stages",
        example="What are the stages of breast cancer?",
        but_not="What is breast cancer?",
    ),
)
"""What people ask and no relation of the graph says; tried where no other intent fits."""

OUT_OF_SCOPE: Final = re.compile(
    r"\b(price|cost|cheap|expensive|buy|order|sell|shop|pharmac(y|ies) near|insur\w+|cover(ed|age|s)?|reimburs\w+|refund|pay|paid|fees?)\b"
    r"|\b(appointment|opening hours|book(ing)?|near me|phone number|address|website|hospital|clinic)s?\b"
    r"|\b(best|good|which|who|dr\.?|my) (doctor|surgeon|dentist|specialist|cardiologist|physician|consultant|nurse|hospital|clinic)s?\b"
    r"|\b(my|his|her|our) (last |latest |recent |old |medical )*(results?|records?|report|scan|x-?ray|blood test|test|prescription|file|notes?)\b"
    r"|\b(discover|invent|found(ed)? by|named (after|for|by)|nobel|patent|manufactur|company|brand owner|history of (the|its) (name|word))\w*"
    r"|\b(movie|film|song|joke|poem|story|novel|celebrit\w+|famous|stamp|translate|spell|pronounce|rhyme|write me|homework)\b"
    r"|\bwho (wrote|founded|owns?|plays?|played|won|sang|sings|directed|painted|said)\b"
    r"|\b(actor|actress|author|album|prize|award|charity|trademark|logo|minister|parliament|president|election|museum|statue|championship|anniversary)s?\b|\bcapital of\b"
    r"|谁(写|创办|创立|演|唱|导演|设计)|作者|主演|演员|设计师|商标|协会|基金会|慈善|几楼|部长|议会|总统|冠军|世界杯|纪念日|哪国人"
    r"|多少钱|价格|价钱|费用|贵不贵|便宜|哪里?[能可]?(以)?买|哪有卖|哪买|报销|医保|保险|退款|付款|挂号费|预约|排队|营业|开门|几点|电话|地址|网址"
    r"|(哪个|哪位|哪家|什么|推荐.{0,4}|最好的?|我的?)(医生|大夫|专家|主任|医院|诊所)|我的?(报告|病历|检查结果|化验单|片子|处方|记录|档案)"
    r"|谁(发现|发明|命名)|发明|厂家|公司|电影|电视剧|小说|笑话|歌|故事|翻译|怎么读|怎么写|拼音|明星|名人",
    re.IGNORECASE,
)
"""Asks for what no source of a graph says: prices, doctors, one's own records, history, fun."""
