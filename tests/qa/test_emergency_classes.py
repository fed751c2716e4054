"""Every class of emergency of the public lists, in lay words, and questions for knowledge beside it."""

import pytest

from qa.emergencies import find_emergency

IN_DANGER = """
my husband's face has gone funny on one side and he's talking gibberish
a curtain has come down over my vision
pain going down my left arm and jaw, feel sick and clammy
tearing pain between my shoulder blades, came on all of a sudden, I feel faint
my son has a rash that doesn't fade when I press a glass on it and he's really hot
her little red spots are still there when I press a tumbler on them and she has a fever
his breath smells like nail varnish remover, he keeps throwing up and I can barely wake him
孩子腿上的红点用玻璃杯压着还在，还发烧
他嘴里一股烂苹果味，一直吐，人迷迷糊糊
she ate peanuts and now her lips are huge and she's wheezing
my friend took loads of pills and is very sleepy
he's been fitting for ten minutes
my wife is 8 months pregnant with a blinding headache and seeing spots
I'm 7 weeks pregnant with terrible pain on one side and feel faint
my wife is bleeding loads after giving birth
38 weeks and the baby hasn't moved since yesterday
my teenage son has sudden severe pain in one testicle
my husband can't pee or feel his bottom after hurting his back
my diabetic dad is breathing fast, smells of pear drops and very drowsy
dad is confused, shivering, hardly peeing and his skin is mottled
collapsed after running in the heat, skin hot, not making sense
bleach went in her eyes
my eye is really painful, red and I see halos, vomiting
my leg is cold, white and numb all of a sudden and very painful
vomit looks like coffee grounds
my poo is black and tarry and I feel dizzy
newborn 2 weeks old with a fever of 38.5
my kid makes a harsh noise breathing in and is drooling, can't swallow
he has hit his head and one pupil is bigger
the bone is sticking out of his leg
burned my whole arm with boiling oil
drank antifreeze by mistake
my flatmate had two ecstasy tablets, he's burning up and not responding
child ate granddad's heart pills
I'm going to end it tonight
后背突然撕裂一样疼，疼得站不住
宝宝身上起了紫色的点，压不褪色，还高烧
孩子抽了十分钟还没停
羊水破了脐带掉出来了
生完孩子第二天，下面出血把垫子都浸透了
儿子一边蛋蛋突然疼得要命还吐
腰疼得厉害，大小便都控制不住了，会阴麻木
我妈有糖尿病，呼吸很深有烂苹果味，昏昏沉沉
老人发烧，神志不清，手脚冰凉，没尿
洁厕灵溅到眼睛里了
电瓶液崩到眼里，火辣辣的
我爸在工地烈日下干活，突然倒地上，皮肤烫得没汗
同学嗑了摇头丸，浑身滚烫，叫不醒
眼前像拉了窗帘一样黑了一块
咳出一大口鲜血
大便像柏油一样黑，头晕站不稳
出生十天的宝宝发烧38度5
腿突然冰凉发白疼得厉害，摸不到脉搏
骨头都露出来了
吃了野蘑菇上吐下泻，眼睛发黄
心跳180多，快晕过去了
哮喘犯了，喷药不管用
孩子吃了爷爷的降压药
想从楼上跳下去
""".strip().splitlines()
KNOWLEDGE = """
What are the signs of a stroke?
how is anaphylaxis treated
what causes blood in vomit
Which diseases cause a purple rash?
why do people with diabetes get ketoacidosis
what is testicular torsion
My mum had a stroke in 2015, which drugs prevent another one?
I had an ectopic pregnancy three years ago, can I get pregnant again
What does sepsis look like?
my eye is sore and red, what is it
my testicle aches a bit after cycling
my baby has had a cold for 3 weeks
what are the symptoms of heat stroke
my hands go white and numb in the cold
Our girl had a febrile convulsion last winter, will it turn into epilepsy?
中风有哪些先兆
心梗怎么急救
一氧化碳中毒的症状有哪些
睾丸扭转是什么
我爸三年前中风，现在吃什么药预防
小孩发烧吃什么药
孕妇头疼怎么办
烫伤了涂什么药膏好
冬天手脚冰凉麻木是什么原因
大便黑是什么原因
糖尿病酮症酸中毒怎么治疗
我奶奶手脚冰凉，怎么调理
胳膊抬不起来，梳头时疼
儿子前年抽搐过，将来会得癫痫吗
""".strip().splitlines()


@pytest.mark.parametrize("text", IN_DANGER)
def test_who_tells_of_danger_is_sent_for_help(text: str) -> None:
    assert find_emergency(text) is not None


@pytest.mark.parametrize("text", KNOWLEDGE)
def test_who_asks_for_knowledge_or_of_what_is_mild_gets_an_answer(text: str) -> None:
    assert find_emergency(text) is None
