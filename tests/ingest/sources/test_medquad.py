"""MedQuAD: what a document says, what is quarantined, and the whole corpus."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ingest.identity import mint
from ingest.sources import MedQuadSource
from ingest.sources.medquad.focus import FocusTypes
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from kg.linking.umls.semantic_types import TYPES_OF
from tests.ingest.sources.conftest import Left, Read

UMLS = (
    "<UMLS><CUIs><CUI>C0018099</CUI></CUIs><SemanticTypes><SemanticType>T047</SemanticType>"
    "</SemanticTypes><SemanticGroup>Disorders</SemanticGroup></UMLS>"
)
PAIR = (
    '<QAPair pid="1"><Question qid="0000001-1" qtype="treatment">How is gout treated ?</Question>'
    "<Answer>  Colchicine eases an attack.\n\n    - Allopurinol lowers uric acid.</Answer></QAPair>"
)
URL = "https://example.org/gout?a=1|2"


def document(
    *,
    focus: str = "Gout",
    annotations: str = UMLS,
    pairs: str = PAIR,
    source: str = "NIDDK",
    number: str = "0000001",
) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Document id="{number}" source="{source}" '
        f'url="{URL}"><Focus>{focus}</Focus><FocusAnnotations>{annotations}</FocusAnnotations>'
        f"<QAPairs>{pairs}</QAPairs></Document>"
    )


def synonyms(*names: str) -> str:
    return f"<Synonyms>{''.join(f'<Synonym>{n}</Synonym>' for n in names)}</Synonyms>"


def typed(*tuis: str, group: str = "Disorders") -> str:
    types = "".join(f"<SemanticType>{tui}</SemanticType>" for tui in tuis)
    return (
        f"<UMLS><SemanticTypes>{types}</SemanticTypes>"
        f"<SemanticGroup>{group}</SemanticGroup></UMLS>"
    )


def corpus(folder: Path, *documents: str | bytes) -> MedQuadSource:
    """Files 1.xml, 2.xml, …."""
    for number, text in enumerate(documents, 1):
        path = folder / "some_QA" / f"{number}.xml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return MedQuadSource(kind="medquad", folder=folder)


def reasons(left: Left) -> list[tuple[str, str]]:
    return [(q["original_relation"], q["reason"]) for q in left.quarantine]


def test_document_gives_names_concept_and_section(tmp_path: Path, read: Read) -> None:
    left = read(corpus(tmp_path, document(annotations=UMLS + synonyms("Podagra"))))
    section = mint("Section", "NIDDK 0000001 0000001-1 How is gout treated ?")
    assert left.facts() == [
        ("Gout", "HAS_NAME", "Gout"),
        ("Gout", "HAS_CUI", "UMLS:C0018099"),
        ("Gout", "HAS_SYNONYM", "Podagra"),
        ("Gout", "HAS_SECTION", section),
        (section, "HAS_NAME", "How is gout treated ?"),
        (section, "HAS_TEXT", "Colchicine eases an attack.\n- Allopurinol lowers uric acid."),
    ]
    assert [a["row"] for a in left.assertions] == [1, 2, 3, 4, 4, 4]
    assert left.rows == {"focus": 1, "CUI": 1, "synonym": 1, "treatment": 1}


def test_section_edge_has_the_page_and_the_type_of_question(tmp_path: Path, read: Read) -> None:
    left = read(corpus(tmp_path, document()))
    [edge] = [a for a in left.assertions if a["relation"] == "HAS_SECTION"]
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "medquad",
        "file": "some_QA/1.xml",
        "row": 3,
        "original_relation": "treatment",
        "head_type": "Disease",
        "head_name": "Gout",
        "relation": "HAS_SECTION",
        "tail": mint("Section", "NIDDK 0000001 0000001-1 How is gout treated ?"),
        "tail_type": "Section",
        "tail_name": "How is gout treated ?",
        "language": "en",
        "publications": "https://example.org/gout?a=1%7C2",  # a bar stands between values
    }


def test_all_concepts_of_a_focus_are_kept(tmp_path: Path, read: Read) -> None:
    cuis = "<CUIs><CUI>C0018099</CUI><CUI>C0003868</CUI><CUI></CUI><CUI>18099</CUI></CUIs>"
    left = read(corpus(tmp_path, document(annotations=cuis + typed("T047"), pairs="")))
    concepts = [a for a in left.assertions if a["relation"] == "HAS_CUI"]
    assert [(a["tail"], a["problem"]) for a in concepts] == [
        ("UMLS:C0018099", None),
        ("UMLS:C0003868", None),
        ("UMLS:18099", "'18099' is no concept of UMLS"),
    ]


@pytest.mark.parametrize(
    ("source", "annotations", "node_type"),
    [
        ("NIDDK", typed("T047"), "Disease"),
        ("NIDDK", typed("T184"), "Symptom"),
        ("NIDDK", typed("T033", "T184", "T047"), "Disease"),
        ("NIDDK", typed("T121", group="Chemicals"), "Drug"),
        ("NIDDK", typed(), "Disease"),  # the group Disorders
        ("GARD", typed("T033"), "Disease"),  # a collection of diseases
        ("MPlusDrugs", "<Category>Drug</Category>", "Drug"),
        ("MPlusHealthTopics", "<Category>Disease</Category>", "Disease"),
    ],
)
def test_focus_has_the_type_of_its_annotations(
    tmp_path: Path, read: Read, source: str, annotations: str, node_type: str
) -> None:
    left = read(corpus(tmp_path, document(source=source, annotations=annotations)))
    assert {a["head_type"] for a in left.assertions} == {node_type, "Section"}


@pytest.mark.parametrize(
    ("annotations", "reason"),
    [
        ("<Category>Other</Category>", "the category Other does not say what the focus is"),
        (
            typed("T998", group="Devices"),
            "no node type is known for the semantic type 'T998'",
        ),
        ("", "neither a semantic type nor a category says what the focus is"),
    ],
)
def test_focus_without_a_type_is_quarantined_row_by_row(
    tmp_path: Path, read: Read, annotations: str, reason: str
) -> None:
    cui = "<CUIs><CUI>C0018099</CUI></CUIs>" + synonyms("Podagra")
    left = read(corpus(tmp_path, document(annotations=annotations + cui)))
    rows = ("focus", "CUI", "synonym", "treatment")
    assert (left.assertions, reasons(left)) == ([], [(row, reason) for row in rows])


def test_name_has_one_type_in_all_documents(tmp_path: Path, read: Read) -> None:
    sciatica = document(focus="Sciatica", annotations=typed("T184"), pairs="")
    other = document(focus="SCIATICA", annotations=typed("T047"), pairs="", number="2")
    left = read(corpus(tmp_path, sciatica, other))
    assert [(a["head_name"], a["head_type"]) for a in left.assertions] == [
        ("Sciatica", "Disease"),
        ("SCIATICA", "Disease"),
    ]


@pytest.mark.parametrize(
    ("source", "pair", "quarantined"),
    [
        (
            "ADAM",
            '<QAPair><Question qtype="causes">Why?</Question><Answer/></QAPair>',
            ("causes", "MedQuAD's authors removed the answers of this collection for copyright"),
        ),
        (
            "GARD",
            '<QAPair><Question qtype="causes">Why?</Question></QAPair>',
            ("causes", "no answer"),
        ),
        (
            "GARD",
            '<QAPair><Question qtype="gossip">Why?</Question><Answer>A.</Answer></QAPair>',
            ("gossip", "the graph has no relation for 'gossip'"),
        ),
        (
            "GARD",
            "<QAPair><Question>Why?</Question><Answer>A.</Answer></QAPair>",
            ("no type of question", "the question has no type (qtype)"),
        ),
        (
            "GARD",
            '<QAPair><Question qtype="causes"/><Answer>A.</Answer></QAPair>',
            ("causes", "the pair has no question"),
        ),
    ],
)
def test_pair_that_is_no_section_is_quarantined_and_the_focus_stands(
    tmp_path: Path, read: Read, source: str, pair: str, quarantined: tuple[str, str]
) -> None:
    left = read(corpus(tmp_path, document(source=source, pairs=pair)))
    assert reasons(left) == [quarantined]
    assert [a["relation"] for a in left.assertions] == ["HAS_NAME", "HAS_CUI"]
    assert json.loads(left.quarantine[0]["record"])["focus"] == "Gout"


def test_one_number_on_two_questions_gives_two_sections(tmp_path: Path, read: Read) -> None:
    other = document(pairs=PAIR.replace("gout", "podagra"))
    left = read(corpus(tmp_path, document(), other))
    assert len({a["tail"] for a in left.assertions if a["relation"] == "HAS_SECTION"}) == 2


def test_answer_with_elements_of_its_own_is_read_whole(tmp_path: Path, read: Read) -> None:
    pairs = PAIR.replace("Allopurinol lowers", "<b>Allopurinol</b> lowers")
    left = read(corpus(tmp_path, document(pairs=pairs)))
    texts = [a["value"] for a in left.assertions if a["relation"] == "HAS_TEXT"]
    assert texts == ["Colchicine eases an attack.\n- Allopurinol lowers uric acid."]


def test_file_with_other_element_names_is_read(tmp_path: Path, read: Read) -> None:
    text = (
        '<doc docid="7" corpus="NINDS" url="u"><doctitle-focus>Gout</doctitle-focus>'
        "<umls><cui>C0018099</cui><semanticType>T047</semanticType></umls><qaPairs><pair>"
        '<question qid="7-1" qtype="information">what is gout?</question>'
        "<answer>A disease.</answer></pair></qaPairs></doc>"
    )
    relations = [fact[1] for fact in read(corpus(tmp_path, text)).facts()]
    assert relations == ["HAS_NAME", "HAS_CUI", "HAS_SECTION", "HAS_NAME", "HAS_TEXT"]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!DOCTYPE Document [<!ENTITY l0 "ha">{LAUGHS}]><Document><Focus>&l9;</Focus></Document>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not XML: no element found: line 1, column 0"),
        (b"no xml", "not XML: syntax error: line 1, column 0"),
        (document().encode()[:300], "not XML: no element found"),
        ("<Document><Focus>\xe9</Focus></Document>".encode("latin-1"), "not XML: not well-formed"),
        (b'<?xml version="1.0" encoding="no-such"?><Document/>', "not XML: unknown encoding"),
        (b"<html/>", "the root element is 'html', not 'Document'"),
        (BOMB.encode(), "the file has a document type declaration, which may be an attack"),
        (BOMB.encode("utf-16"), "the file has a document type declaration"),
        (
            b'<!DOCTYPE d SYSTEM "file:///etc/passwd"><Document/>',
            "the file has a document type declaration",
        ),
    ],
    ids=["empty", "text", "cut", "latin-1", "codec", "html", "bomb", "utf-16", "external"],
)
def test_broken_file_is_quarantined_and_the_others_are_read(
    tmp_path: Path, read: Read, content: bytes, reason: str
) -> None:
    left = read(corpus(tmp_path, content, document()))
    [(original, told)] = reasons(left)
    assert (original, left.quarantine[0]["file"]) == ("broken file", "some_QA/1.xml")
    assert told.startswith(reason)
    assert left.facts()[0] == ("Gout", "HAS_NAME", "Gout")


def test_xml_in_another_encoding_that_it_names_is_read(tmp_path: Path, read: Read) -> None:
    text = document(focus="Ménière disease").replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert read(corpus(tmp_path, text)).facts()[0][0] == "Ménière disease"


def test_folder_without_files_is_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(
        SourceError, match=r"no \.xml file is in it .* give the folder that has MedQuAD's files"
    ):
        read(MedQuadSource(kind="medquad", folder=tmp_path / "none"))


def test_semantic_types_are_those_that_linking_gives_a_node_type() -> None:
    types = FocusTypes.of_package().semantic_types
    assert {tui: t for tui, t in types.items() if tui not in TYPES_OF[t]} == {}


def test_every_type_of_question_is_a_section() -> None:
    relations = RelationMap.of("ingest.sources.medquad")
    sections = [w for w, (m,) in relations.relations.items() if m.relation == "HAS_SECTION"]
    assert len(sections) == 39


def test_corpus_is_accounted_for(shared_data: Path, read: Read) -> None:
    left = read(MedQuadSource(kind="medquad", folder=shared_data / "medquad"))
    relations = Counter(a["relation"] for a in left.assertions if a["problem"] is None)
    assert left.rows["focus"] == 5409
    assert relations["HAS_SECTION"] == relations["HAS_TEXT"] == 15_302
    assert relations["HAS_CUI"] == left.rows["CUI"] == 7209
    assert Counter(q["reason"] for q in left.quarantine) == {
        "the category Other does not say what the focus is": 805,
        "neither a semantic type nor a category says what the focus is": 308,
        "the file names no focus": 17,
        "no answer": 5,
    }
