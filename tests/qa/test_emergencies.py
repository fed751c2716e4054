"""Questions that need help before an answer, and those that only speak of an emergency."""

import json
import re
from pathlib import Path

import pytest
import yaml

from cypher.translation import speaking
from ingest.sources.medquad.documents import BrokenDocumentError, parse
from qa.emergencies import emergency_of_finding, find_emergency

TABLE = yaml.safe_load((Path(__file__).parents[2] / "qa" / "emergencies.yaml").read_text("utf-8"))

STORIES = yaml.safe_load(
    (Path(__file__).parents[2] / "qa" / "emergency_stories.yaml").read_text("utf-8")
)


def situation(text: str) -> str | None:
    found = find_emergency(text)
    return found.situation if found else None


@pytest.mark.parametrize(
    "text",
    [
        "I have a headache and fever",
        "why do I have a headache and fever",
        "I have a fever and a cough",
        "I have a rash and fever",
        "I have back pain and fever",
        "my son has a temperature and earache",
        "my child has a fever and a rash",
        "I have diarrhoea and vomiting",
        "I've had a headache for three days",
        "我头痛发烧",
        "孩子发烧咳嗽流鼻涕",
        "宝宝发烧出疹子",
        "我腰疼发烧",
        "is it normal that my baby's soft spot is pulsing",
        "宝宝囟门跳动正常吗",
    ],
)
def test_everyday_complaints_are_no_emergencies(text: str) -> None:
    assert situation(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm having chemo and have a fever of 38", "fever in chemotherapy"),
        ("my mum is on chemo and has a temperature of 38.1", "fever in chemotherapy"),
        ("做完化疗发烧38.5", "fever in chemotherapy"),
        ("the dialysis line is oozing and I have rigors", "sepsis"),
        ("does chemo cause fever?", None),
        ("no fever during chemo", None),
        ("化疗期间没有发烧", None),
        ("三年前做过化疗，现在感冒发烧", None),
    ],
)
def test_fever_in_chemotherapy_or_with_an_infected_line_is_an_emergency(
    text: str, expected: str | None
) -> None:
    assert situation(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My father has crushing chest pain and is sweating", "chest pain"),
        ("crushing chest pain", "chest pain"),
        ("I\u2019ve been having chest pains since this morning", "chest pain"),
        ("what is causing my chest pain", "chest pain"),
        ("I think I'm having a heart attack", "chest pain"),
        ("I CAN'T BREATHE", "not breathing"),
        ("my baby stopped breathing", "not breathing"),
        ("can't breathe", "not breathing"),
        ("husband collapsed", "unconsciousness"),
        ("my mother is in a coma", "unconsciousness"),
        ("He has lowered consciousness since this morning", "unconsciousness"),
        ("我弟弟有意识障碍", "unconsciousness"),
        ("she has respiratory failure", "not breathing"),
        ("My son is now semi-unconscious after the fall", "unconsciousness"),
        ("My brother has a collapsed lung right now after a car crash", "unconsciousness"),
        ("我吃芒果后脸和眼睛都肿了", "severe allergic reaction"),
        ("我用了头孢以后脸肿了", "severe allergic reaction"),
        ("There's a man having a seizure on the bus", "seizure"),
        ("This is the worst stomach pain of my life", "severe abdominal pain"),
        ("My dad's belly is rigid and he is pale", "severe abdominal pain"),
        ("I suddenly have unbearable abdominal pain", "severe abdominal pain"),
        ("我爸爸肚子疼得打滚，出冷汗", "severe abdominal pain"),
        ("someone is choking on a sweet", "choking"),
        ("My husband's face is drooping and his speech is slurred", "stroke"),
        ("my mother suddenly can't move her left arm", "stroke"),
        ("how do I know if I am having a stroke", "stroke"),
        ("My wife passed out and won't wake up", "unconsciousness"),
        ("my son is having a seizure", "seizure"),
        ("my daughter just had a seizure", "seizure"),
        ("The bleeding from my leg won't stop", "severe bleeding"),
        ("I am vomiting blood", "severe bleeding"),
        ("my throat is closing up after peanuts", "severe allergic reaction"),
        ("there is a huge weight on my chest and my left arm is numb", "chest pain"),
        ("my wife's asthma attack won't end and her puffer doesn't help", "not breathing"),
        ("sudden loss of vision in one eye", "stroke"),
        ("my uncle was bitten by a viper", "overdose or poisoning"),
        ("my friend says she will jump off a bridge", "suicidal thoughts"),
        ("i took 30 ibuprofen an hour ago", "overdose or poisoning"),
        ("I took a whole bottle of tylenol", "overdose or poisoning"),
        ("my toddler swallowed bleach", "overdose or poisoning"),
        ("I want to kill myself", "suicidal thoughts"),
        ("i dont want to live anymore", "suicidal thoughts"),
        ("my friend is suicidal", "suicidal thoughts"),
        ("I feel like ending it all", "suicidal thoughts"),
        ("I'm 20 weeks pregnant, and I'm bleeding", "emergency in pregnancy"),
        ("he has been stabbed", "severe injury"),
        ("our newborn is floppy and pale", "gravely ill child"),
        ("胸口痛得厉害，喘不上气", "chest pain"),
        ("我爸爸胸痛怎么办", "chest pain"),
        ("我喘不过气来", "not breathing"),
        ("我爸的心口好像被人踩着一样闷，左胳膊发麻", "chest pain"),
        ("胸前区一阵阵疼，往左肩膀放射", "chest pain"),
        ("他没有脉搏了", "chest pain"),
        ("娃掉到池塘里，捞上来没气了", "not breathing"),
        ("被马蜂蜇了之后呼吸困难", "severe allergic reaction"),
        ("我女儿把奶奶的降压药当糖吃了", "overdose or poisoning"),
        ("妈妈吐了一大盆血", "severe bleeding"),
        ("工友从二楼摔下来，腿动不了", "severe injury"),
        ("宝宝被花生卡住气管了", "choking"),
        ("我妈突然说话不清，嘴歪了", "stroke"),
        ("爺爺昏倒了", "unconsciousness"),
        ("孩子发烧抽搐了怎么办", "seizure"),
        ("血流不止怎么办", "severe bleeding"),
        ("我吃了一整瓶安眠药", "overdose or poisoning"),
        ("喝了农药", "overdose or poisoning"),
        ("不想活了", "suicidal thoughts"),
        ("他割腕了", "suicidal thoughts"),
        ("怀孕20周了突然出血", "emergency in pregnancy"),
        ("孕32周，头疼得厉害，看东西模糊", "emergency in pregnancy"),
        (
            "I'm 34 weeks pregnant with a severe headache and blurred vision",
            "emergency in pregnancy",
        ),
        ("tongue swelling after a wasp sting, can barely breathe", "not breathing"),
        ("stung in the mouth, throat swollen, hard to swallow", "severe allergic reaction"),
        ("our six week old has a sunken soft spot", "gravely ill child"),
        ("宝宝囟门凹下去了", "gravely ill child"),
        ("他脑袋磕在门框上，现在老犯困，吐了两次", "severe injury"),
        ("my son has haemophilia and fell on his head", "severe injury"),
    ],
)
def test_somebody_in_danger_now_needs_help_first(text: str, expected: str) -> None:
    assert situation(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What causes chest pain?",
        "What are the signs of a stroke?",
        "Can aspirin cause bleeding?",
        "Does my medication cause chest pain?",
        "tell me about suicide",
        "Am I at risk of having a stroke?",
        "I want to know what chest pain means",
        "What to do for Choking ?",
        "Which painkillers can pregnant women take for a headache?",
        "孕妇头疼可以吃什么药",
        "怀孕小腿抽筋怎么办",
        "胸痛是什么原因",
        "小孩抽搐是什么原因",
        "My chest feels like it is full of mucus, which syrup helps?",
        "毒蛇咬伤的症状有哪些",
        "胸口像长了痘痘，怎么办",
        "心梗前兆有哪些",
        "哪些药会引起自杀念头",
        "我想了解一下胸痛的原因",
        "我早上起来脸有点浮肿",
        "What causes severe abdominal pain?",
        "what makes old people suddenly confused",
        "I have the worst period pain, my stomach hurts more than ever in my life",
        "来例假肚子疼得受不了怎么办",
        "my stomach is a bit hard after eating",
        "肚子剧痛是什么原因引起的",
        "My grandfather has had chronic respiratory failure for ten years",
        "我奶奶有慢性呼吸衰竭，平时吃什么好",
        "我想了解一下意识障碍的分级",
        "I was delirious with joy",
        "I have folate-unresponsive anemia",
        "My father has a collapsed lung from birth, can he fly?",
    ],
)
def test_question_for_knowledge_is_none(text: str) -> None:
    assert situation(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "no chest pain, but why do I keep coughing?",
        "I have no chest pain and no trouble breathing, only a cough",
        "My daughter is not suicidal",
        "没有胸痛，只是有点咳嗽，是什么病",
        "我没有昏迷",
        "我没有想自杀",
    ],
)
def test_what_is_denied_is_none(text: str) -> None:
    assert situation(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "I had a heart attack in 2015, which drugs should I avoid?",
        "My mother had a stroke last year. What is her prognosis?",
        "My father died of a heart attack, am I at risk?",
        "My son had a seizure a few weeks ago",
        "去年我得过心梗，要注意什么",
        "我爷爷中风的后遗症",
    ],
)
def test_what_is_long_past_is_none(text: str) -> None:
    assert situation(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "I had a seizure a few weeks ago and have been having sharp chest pain",
        "My father had a heart attack last year. Now he has chest pain again",
        "我以前得过心梗，现在胸口又痛得厉害",
        "我胸痛得厉害，会不会引起心梗",
    ],
)
def test_what_is_past_and_what_is_now_are_told_apart(text: str) -> None:
    assert situation(text) == "chest pain"


def test_advice_says_where_to_get_help_in_the_language_that_is_spoken() -> None:
    ill, poisoned, sad = map(find_emergency, ("my chest hurts", "我喝了农药", "不想活了"))
    assert ill
    assert poisoned
    assert sad
    assert "call your local emergency number" in ill.advice
    with speaking("zh"):
        assert "120" in ill.advice
        assert "中毒" in poisoned.advice
        assert "12356" in sad.advice


@pytest.mark.parametrize(
    "text", ["", "x", "🤒", "\x00", "(" * 500, "我" * 50_000, "chest pain " * 9_000]
)
def test_any_text_is_read(text: str) -> None:
    assert situation(text) in (None, "chest pain")


@pytest.mark.parametrize("row", TABLE["situations"], ids=lambda row: row["name"])
def test_every_situation_has_sources_and_signs_or_stories_in_both_languages(
    row: dict[str, list[str]],
) -> None:
    assert set(row["sources"]) <= TABLE["sources"].keys()
    told = [each for each in STORIES["emergencies"] if each["situation"] == row["name"]]
    signs = [*row.get("signs", ()), *row.get("always", ())]
    signs += [each[language] for each in told for language in ("en", "zh")]
    assert any(re.search("[\u4e00-\u9fff]", sign) for sign in signs)
    assert any(re.search("[a-z]{3}", sign) for sign in signs)


def test_no_question_of_medquad_is_an_emergency(shared_data: Path) -> None:
    questions = set()
    for path in sorted((shared_data / "medquad").glob("*/*.xml")):
        try:
            questions |= {pair.question for pair in parse(path.read_bytes()).pairs}
        except BrokenDocumentError:
            continue
    assert len(questions) > 14_000
    assert [question for question in sorted(questions) if situation(question)] == []


@pytest.mark.parametrize(
    ("id_", "names", "expected"),
    [
        ("HP:0004372", ["lowered consciousness", "意识障碍"], "unconsciousness"),
        ("HP:0001658", ["Myocardial infarction", "心肌梗死"], "chest pain"),
        ("HP:0001297", ["Stroke"], "stroke"),
        ("HP:0010628", ["Facial palsy", "面瘫"], None),  # may be of long standing
        ("HP:0002248", [], "severe bleeding"),
        ("HP:0002094", ["Dyspnea", "呼吸困难", "trouble breathing"], None),  # may be mild
        ("HP:0000282", ["Facial edema", "面部水肿"], None),
        ("MEDKG:Symptom.1", ["胸部剧痛"], "chest pain"),
        ("MEDKG:Symptom.1", ["sneezing", "chest pain"], "chest pain"),
        ("MEDKG:Symptom.1", ["打喷嚏"], None),
        ("MEDKG:Symptom.1", ["抽搐"], None),  # as a seizure is none by its name
        ("MEDKG:Symptom.1", ["肺源性呼吸困难"], None),
        ("MEDKG:Symptom.1", ["急性呼吸困难"], "not breathing"),
        ("MEDKG:Symptom.1", ["胸痛伴呼吸困难"], "chest pain"),
        ("MEDKG:Symptom.1", ["触电样疼痛"], None),
    ],
)
def test_a_finding_is_an_emergency_in_every_language_or_in_none(
    id_: str, names: list[str], expected: str | None
) -> None:
    found = emergency_of_finding(id_, names)
    assert (found.situation if found else None) == expected


def test_findings_of_the_table_are_terms_of_hpo_by_their_names(shared_data: Path) -> None:
    terms = (shared_data / "hpo" / "hp.obo").read_text("utf-8").split("[Term]")
    named = {
        found[1]: found[2]
        for term in terms
        if "is_obsolete" not in term and (found := re.search(r"id: (HP:\d+)\nname: (.*)", term))
    }
    listed = {k: v for row in TABLE["situations"] for k, v in row.get("findings", {}).items()}
    assert len(listed) > 30
    assert listed == {id_: named.get(id_) for id_ in listed}


def test_real_reports_of_children_with_colds_and_fevers_are_seldom_an_emergency_by_stories(
    shared_data: Path,
) -> None:
    lines = (shared_data / "dxy_dialog" / "dialogs_train.jsonl").read_text("utf-8").splitlines()
    reports = {json.loads(line)["self_report"] for line in lines}
    assert len(reports) > 400
    by_stories = [
        text
        for text in reports
        if find_emergency(text) and not find_emergency(text, stories=False)
    ]
    assert len(by_stories) / len(reports) < 0.01
