"""Products that are called after a drug and the form it is given in.

``盐酸左氧氟沙星胶囊`` are capsules (胶囊) of levofloxacin hydrochloride (盐酸左氧氟沙星), and ``注射用头孢他啶``
is ceftazidime for injection. Such a product is not the drug (eye drops are for other diseases than
tablets), but the drug is in it: HAS_INGREDIENT. The drugs are those of the list ``drugs`` that medkg
brings, by their generic names and salts; the forms are those of the Chinese Pharmacopoeia
(2020 edition, part IV, general chapter 0100) with the ways of release and the places that are
written before them. A name with anything else in it (a maker, a second drug, 复方) is not read:
nothing tells 右旋布洛芬 (dexibuprofen) from a maker called 右旋.
"""

import csv
import re
from importlib.resources import files
from typing import Final, Self

_OF_RELEASE_OR_PLACE: Final = (
    "缓释|控释|速释|肠溶|分散|咀嚼|泡腾|口腔崩解|口崩|薄膜衣|糖衣|口服|口含|含|舌下|阴道|外用|眼用|鼻用|鼻"
    "|透皮|吸入|吸入用|雾化吸入用|干|软|滴|溶液|脂质体|混悬|氯化钠|葡萄糖|木糖醇"
)
_FORMS: Final = (
    "片|片剂|胶囊|胶囊剂|胶丸|丸|滴丸|颗粒|颗粒剂|散|散剂|粉|糖浆|注射液|注射剂|粉针|粉针剂|溶液|口服液"
    "|混悬液|混悬剂|滴剂|乳剂|合剂|滴眼液|滴眼剂|眼膏|滴耳液|滴鼻液|气雾剂|粉雾剂|喷雾剂|喷剂|吸入剂"
    "|软膏|乳膏|霜|凝胶|糊|搽剂|洗剂|涂剂|涂膜|涂膜剂|酊|酊剂|膜|贴片|贴剂|贴膏|栓|栓剂|灌肠剂|灌肠液|植入剂|微球"
)
_FORM: Final = re.compile(
    rf"(?:{_OF_RELEASE_OR_PLACE}){{0,3}}(?:{_FORMS})(?:[(（][^()（）]*[)）])?"
)
_FOR_INJECTION: Final = "注射用"


class Products:
    """Finds the drug that a product is called after."""

    def __init__(self, drugs: frozenset[str]) -> None:
        self._drugs = drugs
        self._shortest = min(map(len, drugs), default=0)

    @classmethod
    def of_list(cls) -> Self:
        """Of the drugs in medkg's list, by all their Chinese names but brands."""
        listed = files("ingest.sources").joinpath("bridge", "lists", "drugs.tsv")
        rows = csv.DictReader(listed.read_text(encoding="utf-8").splitlines(), delimiter="\t")
        named = (row["name_zh"] for row in rows if row["kind"] != "brand")
        return cls(frozenset(filter(None, named)))

    def ingredient(self, product: str) -> str | None:
        """The drug in a product, as the product's name has it; None where it names none so."""
        named = product.removeprefix(_FOR_INJECTION)
        for end in range(len(named), self._shortest - 1, -1):
            drug, form = named[:end], named[end:]
            if drug in self._drugs and (_FORM.fullmatch(form) or (not form and named != product)):
                return drug
        return None
