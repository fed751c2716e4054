import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.pipeline import EntityRuler
from spacy.tokens import Doc, DocBin

from kg.errors import ConfigurationError, LinkingError
from kg.linking import Linker, Mention, Names
from kg.linking.spacy_component import NAME

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")  # pysbd, of scispaCy

ROWS = """\
id,type,name,language,cui
MONDO:0005068,Disease,myocardial infarction,en,C0027051
MONDO:0005068,Disease,heart attack,en,C0027051
MONDO:0005068,Disease,心肌梗死,zh,C0027051
MONDO:0005812,Disease,influenza,en,C0021400
MONDO:0005812,Disease,flu,en,C0021400
HP:0001945,Symptom,fever,en,C0015967
HP:0001945,Symptom,发热,zh,C0015967
HP:0012735,Symptom,cough,en,C0010200
HP:0012735,Symptom,咳嗽,zh,C0010200
DRUGBANK:DB01050,Drug,ibuprofen,en,C0020740
"""
"""A table of names."""


@pytest.fixture
def names(tmp_path: Path) -> str:
    file = tmp_path / "names.csv"
    file.write_text(ROWS, encoding="utf-8")
    return str(file)


def pipeline(names: str | None, **config: object) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME, config={"names": names, **config})
    return nlp


def with_ruler(names: str, patterns: dict[str, str], **config: object) -> Language:
    """A linker behind a recogniser that gives labels by text."""
    nlp = pipeline(names, **config)
    ruler = nlp.add_pipe("entity_ruler", before=NAME)
    assert isinstance(ruler, EntityRuler)
    ruler.add_patterns([{"label": label, "pattern": text} for text, label in patterns.items()])
    return nlp


def entities(doc: Doc) -> list[tuple[str, str, str]]:
    return [(entity.text, entity.label_, entity.kb_id_) for entity in doc.ents]


def mention(doc: Doc, at: int = 0) -> Mention:
    found = doc.ents[at]._.medkg
    assert isinstance(found, Mention)
    return found


def test_linked_mentions_are_entities_with_type_and_id(names: str) -> None:
    doc = pipeline(names)("No fever after her heart attack.")
    assert entities(doc) == [
        ("fever", "Symptom", "HP:0001945"),
        ("heart attack", "Disease", "MONDO:0005068"),
    ]
    fever, attack = mention(doc), mention(doc, 1)
    assert (fever.negated, fever.candidates[0].cuis) == (True, ("C0015967",))
    assert (attack.start, attack.end, attack.candidates[0].name) == (
        19,
        31,
        "myocardial infarction",
    )
    assert doc._.medkg == [fever, attack]
    assert doc[0:1]._.medkg is None


def test_chinese_is_linked(names: str) -> None:
    nlp = spacy.blank("zh")
    nlp.add_pipe(NAME, config={"names": names})
    doc = nlp("患者没有发热，咳嗽3天，心肌梗死。")
    assert entities(doc) == [
        ("发热", "Symptom", "HP:0001945"),
        ("咳嗽", "Symptom", "HP:0012735"),
        ("心肌梗死", "Disease", "MONDO:0005068"),
    ]
    assert [each.negated for each in doc._.medkg] == [True, False, False]


@pytest.mark.parametrize(
    "text", ["", " ", "🤒🇨🇭", "\0\x1b[31m", "x" * 100_000, "e\u0301 發燒 \uff46lu"]
)
def test_any_text_is_taken_and_offsets_are_right(names: str, text: str) -> None:
    doc = pipeline(names)(text)
    assert doc.text == text
    assert [text[each.start : each.end] for each in doc._.medkg] == [
        each.text for each in doc._.medkg
    ]


def test_mentions_within_one_token_are_one_entity_and_lose_nothing(names: str) -> None:
    nlp = pipeline(names)
    nlp.tokenizer = spacy.tokenizer.Tokenizer(nlp.vocab)  # parts at spaces only
    doc = nlp("fever/cough, heart attack/flu")
    assert entities(doc) == [
        ("fever/cough,", "Symptom", "HP:0001945"),
        ("heart attack/flu", "Disease", "MONDO:0005068"),
    ]
    assert [each.text for each in doc._.medkg] == ["fever", "cough", "heart attack", "flu"]
    assert mention(doc).text == "fever"


def test_an_earlier_entity_stays_where_none_of_ours_is(names: str) -> None:
    nlp = with_ruler(names, {"Ann": "PERSON", "her heart": "BODY"})
    assert entities(nlp("Ann had her heart attack")) == [
        ("Ann", "PERSON", ""),
        ("heart attack", "Disease", "MONDO:0005068"),
    ]


def test_entities_of_an_earlier_component_are_linked(names: str) -> None:
    nlp = with_ruler(names, {"flu": "ILLNESS", "Ann": "PERSON"}, recognise=False)
    doc = nlp("Ann had flu and fever")
    assert entities(doc) == [("Ann", "PERSON", ""), ("flu", "Disease", "MONDO:0005812")]
    assert [each.linked for each in doc._.medkg] == [False, True]
    assert (mention(doc).linked, mention(doc, 1).candidates[0].name) == (False, "influenza")


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({}, ["HP:0001945", "MONDO:0005812"]),
        ({"types": ["Disease"]}, ["MONDO:0005812"]),
        ({"scorer": "ratio", "limit": 1}, ["HP:0001945", "MONDO:0005812"]),
    ],
)
def test_options_reach_the_linker(names: str, config: dict[str, object], found: list[str]) -> None:
    doc = pipeline(names, **config)("fever of flu")
    assert [id_ for *_, id_ in entities(doc)] == found


def test_misspelt_names_are_found_unless_only_exact_ones_are_wanted(names: str) -> None:
    text = "an influensa"
    assert [id_ for *_, id_ in entities(pipeline(names)(text))] == ["MONDO:0005812"]
    assert entities(pipeline(names, fuzzy=False)(text)) == []


def test_a_saved_pipeline_needs_nothing_that_it_was_made_from(names: str, tmp_path: Path) -> None:
    nlp = pipeline(names, types=["Symptom"])
    nlp.to_disk(tmp_path / "nlp")
    Path(names).unlink()
    shutil.move(tmp_path / "nlp", tmp_path / "elsewhere")
    again = spacy.load(tmp_path / "elsewhere")
    assert entities(again("fever of flu")) == [("fever", "Symptom", "HP:0001945")]
    again.to_disk(tmp_path / "elsewhere")  # over itself
    assert entities(spacy.load(tmp_path / "elsewhere")("fever")) == entities(nlp("fever"))


def test_an_index_folder_is_linked_with(names: str, tmp_path: Path) -> None:
    Linker.of_names(Names.read(Path(names))).save(tmp_path / "index")
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME, config={"index": str(tmp_path / "index")})
    assert entities(nlp("flu")) == [("flu", "Disease", "MONDO:0005812")]


def test_documents_can_be_serialised_and_come_from_processes(names: str) -> None:
    nlp = pipeline(names)
    texts = ["no fever", "flu", "nothing", "cough"]
    docs = list(nlp.pipe(texts))
    assert [entities(doc)[:1] for doc in docs] == [entities(nlp(text))[:1] for text in texts]
    others = list(nlp.pipe(texts, n_process=2, batch_size=1))
    assert [doc._.medkg for doc in others] == [doc._.medkg for doc in docs]
    stored = DocBin(docs=docs, store_user_data=True).to_bytes()
    back = list(DocBin().from_bytes(stored).get_docs(nlp.vocab))
    assert mention(back[0]) == mention(docs[0])
    with pytest.warns(UserWarning, match="W101"):  # what is said of a whole document
        joined = Doc.from_docs(docs)
    assert joined is not None
    assert [entity._.medkg.text for entity in joined.ents] == ["fever", "flu", "cough"]


def test_a_process_that_is_not_forked_is_told_where_to_read(names: str, tmp_path: Path) -> None:
    nlp = pipeline(names)
    component = pickle.loads(pickle.dumps(nlp.get_pipe(NAME)))  # noqa: S301 -- as spaCy sends it
    assert entities(component(nlp.make_doc("flu"))) == entities(nlp("flu"))
    nlp.to_disk(tmp_path / "nlp")
    Path(names).unlink()
    loaded = spacy.load(tmp_path / "nlp").get_pipe(NAME)
    component = pickle.loads(pickle.dumps(loaded))  # noqa: S301
    assert entities(component(nlp.make_doc("flu"))) == [("flu", "Disease", "MONDO:0005812")]


def test_threads_read_it_once(names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []
    read = Names.read

    def counted(path: Path) -> Names:
        reads.append(path)
        return read(path)

    monkeypatch.setattr(Names, "read", counted)
    nlp = pipeline(names)
    found: list[list[tuple[str, str, str]]] = []
    threads = [
        threading.Thread(target=lambda: found.append(entities(nlp("flu")))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[("flu", "Disease", "MONDO:0005812")]] * 8
    assert reads == [Path(names)]


def test_more_than_one_thing_to_link_with_is_refused(names: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^medkg_linker: names and graph exclude each"):
        pipeline(names, graph="bolt://localhost")


def test_an_unknown_scorer_is_refused_at_once(names: str) -> None:
    with pytest.raises(ConfigurationError, match="Ratio"):
        pipeline(names, scorer="Ratio")


def test_a_missing_table_is_said_at_the_first_document(tmp_path: Path) -> None:
    nlp = pipeline(str(tmp_path / "no.csv"))
    with pytest.raises(LinkingError, match=r"no\.csv: cannot be read"):
        nlp("flu")


def test_spacy_finds_the_factory_by_itself_and_pays_nothing_for_it(names: str) -> None:
    code = (
        "import sys, warnings; warnings.simplefilter('ignore')\n"
        "import spacy; nlp = spacy.blank('en')\n"
        "print(sorted({'pyarrow', 'rapidfuzz', 'kg.stores', 'kg.linking.linker'} & {*sys.modules}))\n"
        f"nlp.add_pipe('medkg_linker', config={{'names': {names!r}}})\n"
        "print([entity.kb_id_ for entity in nlp('flu').ents])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n['MONDO:0005812']\n"
