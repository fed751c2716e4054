import pytest

from ingest.sources.formats.chinese.products import Products


@pytest.mark.parametrize(
    ("product", "drug"),
    [
        ("阿莫西林胶囊", "阿莫西林"),
        ("盐酸左氧氟沙星氯化钠注射液", "盐酸左氧氟沙星"),
        ("对乙酰氨基酚口腔崩解片", "对乙酰氨基酚"),
        ("注射用头孢他啶", "头孢他啶"),
        ("维生素B12片", "维生素B12"),
        ("青霉素V钾片", "青霉素V钾"),
        ("葡萄糖注射液", "葡萄糖"),
        ("氯化钠注射液", "氯化钠"),
        ("硝苯地平缓释片(Ⅱ)", "硝苯地平"),
    ],
)
def test_product_has_the_drug_in_it_that_it_is_called_after(product: str, drug: str) -> None:
    assert Products.of_list().ingredient(product) == drug


@pytest.mark.parametrize(
    "product",
    [
        "阿莫西林",
        "注射用",
        "胶囊",
        "",
        "复方磺胺甲噁唑片",
        "阿莫西林克拉维酸钾片",
        "维生素AD滴剂",
        "维生素B4片",
        "右旋布洛芬片",
        "三磷酸腺苷二钠片",
        "石药阿莫西林颗粒",
        "阿莫西林胶",
        "阿莫西林胶囊说明书",
        "泰诺林片",
        "牛黄解毒片",
        "青霉素皮试",
        "叶酸缺乏",
    ],
)
def test_name_with_anything_else_in_it_is_no_product_of_one_drug(product: str) -> None:
    assert Products.of_list().ingredient(product) is None


def test_without_a_list_no_product_is_known() -> None:
    assert Products(frozenset()).ingredient("阿莫西林胶囊") is None
