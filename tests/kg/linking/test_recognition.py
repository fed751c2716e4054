import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import spacy
import thinc.api
from spacy.language import Language
from spacy.pipeline import EntityRuler, SpanRuler
from spacy.tokens import Doc
from spacy.training import Example

from kg.errors import ConfigurationError, LinkingError
from kg.linking.recognition import recogniser

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")  # pysbd, of scispaCy

PATTERNS: list[dict[str, str | list[dict[str, Any]]]] = [
    {"label": "DISEASE", "pattern": "heart attack"},
    {"label": "DISEASE", "pattern": "flu"},
    {"label": "DISEASE", "pattern": "心肌梗死"},
]


def saved(nlp: Language, folder: Path) -> str:
    nlp.to_disk(folder)
    return str(folder)


def with_ruler(nlp: Language) -> Language:
    ruler = nlp.add_pipe("entity_ruler")
    assert isinstance(ruler, EntityRuler)
    ruler.add_patterns(PATTERNS)
    return nlp


@pytest.fixture
def ruler(tmp_path: Path) -> str:
    return saved(with_ruler(spacy.blank("en")), tmp_path / "ruler")


def spoken(name: str, text: str) -> list[str]:
    return [text[start:end] for start, end in recogniser(name)(text)]


def test_a_folder_gives_the_spans_of_its_entities(ruler: str) -> None:
    assert recogniser(ruler)("A flu, then a heart attack.") == [(2, 5), (14, 26)]


@pytest.mark.parametrize(
    "text",
    [
        "🤒🤒 flu",
        "flu \0\x1b",
        "\ud800 flu \udfff",
        "🇨🇭e\u0301 flu",
        "flu" + " " * 1_000,
        "\n\tflu\r\n",
    ],
)
def test_offsets_are_code_points_of_the_text(ruler: str, text: str) -> None:
    assert spoken(ruler, text) == ["flu"]


@pytest.mark.parametrize("text", ["", " ", "\ud800", "x" * 1_000_000])
def test_a_text_without_entities_has_no_spans(ruler: str, text: str) -> None:
    assert recogniser(ruler)(text) == []


def test_chinese_is_recognised_by_a_chinese_pipeline(tmp_path: Path) -> None:
    name = saved(with_ruler(spacy.blank("zh")), tmp_path / "zh")
    assert spoken(name, "患者急性心肌梗死。") == ["心肌梗死"]


def test_a_trained_recogniser_finds_what_it_was_trained_on(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    thinc.api.fix_random_seed(1)
    texts = ["he has gout", "gout is painful", "she had gout before", "no pain at all"]
    entities = [[(at, at + 4, "DISEASE")] if (at := t.find("gout")) >= 0 else [] for t in texts]
    examples = [
        Example.from_dict(nlp.make_doc(text), {"entities": found})
        for text, found in zip(texts, entities, strict=True)
    ]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    assert spoken(saved(nlp, tmp_path / "ner"), "has she gout ?") == ["gout"]


def test_a_span_ruler_that_sets_entities_recognises(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("span_ruler", config={"annotate_ents": True})
    assert isinstance(ruler, SpanRuler)
    ruler.add_patterns(PATTERNS)
    assert spoken(saved(nlp, tmp_path / "spans"), "flu") == ["flu"]


def test_a_package_is_loaded_by_its_name(
    ruler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    package = site / "en_flu_md"
    package.mkdir(parents=True)
    package.joinpath("__init__.py").write_text(
        "from pathlib import Path\nfrom spacy.util import load_model_from_path\n"
        f"def load(**options):\n    return load_model_from_path(Path({ruler!r}), **options)\n"
    )
    info = site / "en_flu_md-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: en_flu_md\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(site)
    assert spoken("en_flu_md", "flu") == ["flu"]


def test_a_missing_pipeline_says_where_to_get_one() -> None:
    message = (
        "^the recogniser 'en_core_sci_sm' is neither an installed spaCy pipeline nor a folder "
        r"with one; install it from where its publisher says \(scispaCy's are listed at https"
    )
    with pytest.raises(ConfigurationError, match=message):
        recogniser("en_core_sci_sm")


def test_missing_spacy_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ConfigurationError, match=r"needs spaCy, .* pip install 'medkg\[link\]'"):
        recogniser("en_core_sci_sm")


@Language.component("writes_nothing")
def writes_nothing(doc: Doc) -> Doc:
    return doc


@pytest.mark.parametrize(
    ("pipes", "has"),
    [
        ([], "none at all"),
        (["sentencizer", "writes_nothing"], "sentencizer, writes_nothing"),
        (["span_ruler"], "span_ruler"),
    ],
)
def test_a_pipeline_without_a_recogniser_is_refused(
    pipes: list[str], has: str, tmp_path: Path
) -> None:
    nlp = spacy.blank("en")
    for pipe in pipes:
        nlp.add_pipe(pipe)
    message = rf"has no component that finds entities \(it has {has}\); choose a pipeline with ner"
    with pytest.raises(ConfigurationError, match=message):
        recogniser(saved(nlp, tmp_path / "nothing"))


def _no_config(folder: Path) -> None:
    folder.joinpath("config.cfg").unlink()


def _bad_config(folder: Path) -> None:
    folder.joinpath("config.cfg").write_text("[nlp]\nlang = 5\n")


def _no_meta(folder: Path) -> None:
    folder.joinpath("meta.json").unlink()


def _torn(folder: Path) -> None:
    (folder / "vocab" / "strings.json").write_text("[")


def _unknown_factory(folder: Path) -> None:
    config = folder / "config.cfg"
    config.write_text(config.read_text().replace('"entity_ruler"', '"no_such_factory"'))


@pytest.mark.parametrize("harm", [_no_config, _bad_config, _no_meta, _torn, _unknown_factory])
def test_a_harmed_folder_is_one_sentence(harm: Callable[[Path], None], ruler: str) -> None:
    harm(Path(ruler))
    with pytest.raises(ConfigurationError) as caught:
        recogniser(ruler)
    message = str(caught.value)
    assert message.startswith(f"the recogniser {ruler!r} cannot be loaded (")
    assert message.endswith("with what it needs installed")
    assert "\n" not in message


def test_a_package_that_is_no_pipeline_is_one_sentence() -> None:
    assert importlib.util.find_spec("click")
    with pytest.raises(ConfigurationError, match="the recogniser 'click' cannot be loaded"):
        recogniser("click")


def test_a_text_that_is_too_long_says_so(tmp_path: Path) -> None:
    name = saved(with_ruler(spacy.blank("en")), tmp_path / "ruler")
    message = r"^the text has 1,000,001 characters and .* takes 1,000,000; cut it into paragraphs$"
    with pytest.raises(LinkingError, match=message):
        recogniser(name)("x" * 1_000_001)
