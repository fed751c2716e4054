"""What the symptoms of the DXY dialogues mean in HPO.

The data set has names only. Their ids here are our own reading, term by term; it has
not been checked by a physician. Several ids where the everyday word covers several
terms; none where HPO has no such finding (rubbing one's nose, green stools).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

SYMPTOMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "打喷嚏": ("HP:0025095",),
        "过敏": ("HP:0012393",),
        "咳嗽": ("HP:0012735",),
        "流涕": ("HP:0031417",),
        "肺部湿啰音": ("HP:0030830",),
        "发烧": ("HP:0001945",),
        "喘气": ("HP:0002094", "HP:0030828"),
        "烦躁不安": ("HP:0000711", "HP:0000713", "HP:0000737"),
        "精神萎靡": ("HP:0001254", "HP:0012378"),
        "咽部不适": (),
        "咳痰": ("HP:0031245",),
        "皮疹": ("HP:0000988",),
        "疱疹": ("HP:0033697", "HP:0200037", "HP:0031448"),
        "腹胀": ("HP:0003270",),
        "呕吐": ("HP:0002013",),
        "尿少": ("HP:0100520",),
        "稀便": ("HP:0002014",),
        "蛋花样便": (),
        "厌食": ("HP:0002039", "HP:0004396"),
        "反胃": ("HP:0002018",),
        "抽搐": ("HP:0001250",),
        "鼻塞": ("HP:0001742",),
        "呼吸困难": ("HP:0002094",),
        "揉眼睛": (),
        "盗汗": ("HP:0030166",),
        "肺部阴影": ("HP:0031457", "HP:0002113"),
        "绿便": (),
        "揉鼻子": (),
        "流口水": ("HP:0002307",),
        "吐泡泡": (),
        "腹痛": ("HP:0002027",),
        "流鼻血": ("HP:0000421",),
        "体重减轻": ("HP:0001824",),
        "头痛": ("HP:0002315",),
        "放屁": ("HP:0033589",),
        "肚子咕噜叫": ("HP:0030142", "HP:0030143"),
        "打嗝": ("HP:0100247", "HP:6000064"),
        "大便酸臭": (),
        "舌苔发白": (),
        "淋巴结肿大": ("HP:0002716",),
        "口渴": ("HP:0001959",),
    }
)


def symptom_names(data: Path) -> list[str]:
    """The symptoms that the dialogues are about, each once, in their order.

    Raises:
        KeyError: there is one that we have not read.
    """
    goals = json.loads((data / "dxy_dialog" / "train_goal_dict_dxy.txt").read_text("utf-8"))
    slots = ("explicit_inform_slots", "implicit_inform_slots")
    names = list(dict.fromkeys(name for goal in goals for slot in slots for name in goal[slot]))
    if unread := sorted(set(names) - SYMPTOMS.keys()):
        raise KeyError(f"no reading of {', '.join(unread)}")
    return names
