"""Pages on diseases: HTML, Markdown and JSON."""

import gzip
import json
from pathlib import Path

import pytest

from ingest.sources import PagesSource, files
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

HTML = """<!DOCTYPE html><html lang="en-US"><head><title>Gout - Symptoms and causes - Clinic</title>
<link rel="canonical" href="https://example.org/gout"><style>h2 {}</style></head><body>
<header><h2>Menu</h2></header><nav><ul><li>Home</li></ul></nav>
<article><h1>Gout</h1><p>Gout is an <b>inflammatory</b> arthritis.</p>
<h2>Symptoms &amp; causes</h2><h3>Symptoms</h3><p>They include:</p>
<ul><li>Severe <a href="#">joint pain</a></li><li>Swelling<br></li></ul>
<h4>Later</h4><p>Stiffness may occur.</p>
<h3>Risk factors</h3><ul><li>Obesity</ul>
<h2>History</h2><p>Old.</p></article>
<script>var h2 = "<h2>Treatment</h2>";</script><footer><h2>Causes</h2><p>x</p></footer></body></html>"""

MARKDOWN = """---
disease: MONDO:0005393
sources: [{title: Gout, publisher: NIAMS, url: "https://example.org"}]
---
# Gout
Gout is an **inflammatory** arthritis.

## Symptoms & causes
### Symptoms
They include:

- Severe [joint pain](https://example.org)
- Swelling
#### Later
Stiffness may occur.
### Risk factors
* Obesity
## History
Old.
"""


def read_text(read: Read, path: Path, text: str) -> Left:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return read(PagesSource(kind="pages", path=path))


def sections(left: Left) -> dict[str, str]:
    """Text by heading."""
    names = {a["head"]: a["value"] for a in left.assertions if a["relation"] == "HAS_NAME"}
    return {
        names[a["head"]].partition(": ")[2]: a["value"]
        for a in left.assertions
        if a["relation"] == "HAS_TEXT"
    }


def tails(left: Left) -> list[tuple[str, str]]:
    return [(a["relation"], a["tail_name"]) for a in left.assertions if a["evidence"]]


def test_markdown_without_headings_is_an_overview_or_names_no_disease(
    tmp_path: Path, read: Read
) -> None:
    front = "---\ndisease_name: Gout\n---\n"
    named = read_text(read, tmp_path / "gout.md", f"{front}Gout is an arthritis.\n")
    assert sections(named) == {"Overview": "Gout is an arthritis."}
    unnamed = read_text(read, tmp_path / "text.md", "Gout is an arthritis.\n")
    assert unnamed.reasons() == {1: "the page names no disease"}


@pytest.mark.parametrize(
    ("name", "text"), [("gout.html", HTML), ("gout.md", MARKDOWN), ("gout.HTM.gz", HTML)]
)
def test_headings_make_sections_and_navigation_does_not(
    tmp_path: Path, read: Read, name: str, text: str
) -> None:
    left = read_text(read, tmp_path / name, text)
    found = sections(left)
    bullet = "*" if "md" in name else "-"
    assert {
        heading: " / ".join(filter(None, body.split("\n"))) for heading, body in found.items()
    } == {
        "Overview": "Gout is an inflammatory arthritis.",
        "Symptoms": "They include: / - Severe joint pain / - Swelling / Later / Stiffness may occur.",
        "Risk factors": f"{bullet} Obesity",
        "History": "Old.",
    }
    assert tails(left) == [
        ("HAS_SYMPTOM", "Severe joint pain"),
        ("HAS_SYMPTOM", "Swelling"),
        ("HAS_SYMPTOM", "Stiffness"),
        ("HAS_RISK_FACTOR", "Obesity"),
    ]


def test_page_within_a_form_is_read(tmp_path: Path, read: Read) -> None:
    inner = "<input>Search<h1>Gout</h1><h2>Symptoms</h2><ul><li>Joint pain</li></ul>"
    left = read_text(read, tmp_path / "a.html", f"<form>{inner}</form>")
    assert tails(left) == [("HAS_SYMPTOM", "Joint pain")]


def test_html_has_its_address_and_title(tmp_path: Path, read: Read) -> None:
    left = read_text(read, tmp_path / "gout.html", HTML)
    assert left.facts()[0] == ("Gout", "HAS_NAME", "Gout")
    assert {a["publications"] for a in left.assertions if a["evidence"]} == {
        "https://example.org/gout"
    }
    untitled = read_text(read, tmp_path / "b.html", HTML.replace("<h1>Gout</h1>", ""))
    assert untitled.facts()[0] == ("Gout", "HAS_NAME", "Gout")


def test_front_matter_gives_the_id_and_the_sources(tmp_path: Path, read: Read) -> None:
    left = read_text(read, tmp_path / "gout.md", MARKDOWN)
    assert left.facts()[0] == ("MONDO:0005393", "HAS_NAME", "Gout")
    edge = next(a for a in left.assertions if a["evidence"])
    assert (edge["head"], edge["publications"]) == (
        "MONDO:0005393",
        "NIAMS: Gout https://example.org",
    )


def test_unknown_field_of_front_matter_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read_text(
        read, tmp_path / "a.md", "---\nname: Gout\nward: 3\n---\n## Symptoms\n- pain\n"
    )
    assert [(q["original_relation"], q["reason"]) for q in left.quarantine] == [
        ("ward", "the field is not known in front matter")
    ]


def test_folder_is_read_whole_and_in_order(tmp_path: Path, read: Read) -> None:
    for name in ("b/gout.json", "a.jsonl", "notes.txt"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"name": name, "symptoms": ["pain"]}), encoding="utf-8")
    source = PagesSource(kind="pages", path=tmp_path / "pages")
    assert [path.name for path in files(source)] == ["a.jsonl", "gout.json"]
    assert {(a["file"], a["head_name"]) for a in read(source).assertions if a["evidence"]} == {
        ("a.jsonl", "a.jsonl"),
        ("b/gout.json", "b/gout.json"),
    }


def test_sections_of_one_heading_are_two_nodes(tmp_path: Path, read: Read) -> None:
    both = [{"heading": "Symptoms", "text": text} for text in ("- fever", "- cough")]
    left = read_text(read, tmp_path / "a.json", json.dumps({"name": "Flu", "sections": both}))
    assert len({a["tail"] for a in left.assertions if a["relation"] == "HAS_SECTION"}) == 2
    assert tails(left) == [("HAS_SYMPTOM", "fever"), ("HAS_SYMPTOM", "cough")]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("3", "a page is an object with fields"),
        ('{"name": "Flu", "sections": 3}', "the sections are no list and no object"),
        ('{"name": "Flu", "sections": ["x"]}', "the section has no heading"),
        (
            '{"name": "Flu", "symptoms": {"a": 1}}',
            "the section is neither a text nor a list of texts",
        ),
        ('{"name": "  ", "symptoms": "x"}', "the page names no disease"),
        (
            '{"name": "Flu", "synonyms": [1]}',
            "the field is not written as a description of the page is",
        ),
        ('{"name": "Flu", "id": 5}', "the field is not written as a description of the page is"),
    ],
)
def test_part_that_is_no_text_is_quarantined(
    tmp_path: Path, read: Read, page: str, reason: str
) -> None:
    left = read_text(read, tmp_path / "a.json", f"[{page}]")
    assert reason in {q["reason"] for q in left.quarantine}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b'{"name": ', "a.json: not JSON"),
        ("a.json", b'{"name": "\\ud83d"}', "half of a surrogate pair is no text"),
        ("a.md", b"---\nname: [\n---\n# x\n", "a.md: not a page with front matter in YAML"),
        ("a.md", b"---\n- x\n---\n# x\n", "a.md: not a page with front matter (it has no fields)"),
        ("a.html", b"", "a.html: the file is empty"),
        ("a.html", "<h1>痛风</h1>".encode("gb18030"), "a.html: not UTF-8 text"),
        ("a.html.gz", b"no gzip", "the compressed file is damaged or cut off"),
        ("a.txt", b"x", "a.txt: the ending is none of .html, "),
    ],
)
def test_file_that_is_no_page_is_one_sentence(
    tmp_path: Path, read: Read, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SourceError) as raised:
        read(PagesSource(kind="pages", path=tmp_path / name))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_broken_line_is_quarantined_and_the_next_is_read(tmp_path: Path, read: Read) -> None:
    left = read_text(read, tmp_path / "a.jsonl", '{"name": "Flu"}\n{\n{"name": "Gout"}\n')
    assert [a["value"] for a in left.assertions] == ["Flu", "Gout"]
    assert any(q["reason"].startswith("the line is not JSON: ") for q in left.quarantine)


def test_line_separator_inside_a_text_ends_no_line(tmp_path: Path, read: Read) -> None:
    page = '{"name": "Flu", "overview": "It is a virus.\u2028It is common."}\n'
    left = read_text(read, tmp_path / "a.jsonl", page)
    assert sections(left) == {"overview": "It is a virus.\u2028It is common."}


def test_folder_without_pages_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    with pytest.raises(SourceError, match=r"no page is in it \(.html, "):
        files(PagesSource(kind="pages", path=tmp_path))


def test_encoding_of_the_settings_is_used(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "a.html"
    path.write_bytes("<h1>痛风</h1><h2>症状</h2><ul><li>关节疼痛</li></ul>".encode("gb18030"))
    left = read(PagesSource(kind="pages", path=path, encoding="gb18030"))
    assert tails(left) == [("HAS_SYMPTOM", "关节疼痛")]
