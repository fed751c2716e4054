"""The page server, asked over HTTP, well and badly."""

import json
import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest

from qa.page import app, requests, view
from qa.page.requests import is_own
from tests.conftest import CommandLine
from tests.qa.page.served import MANY, ODD, TEXTS, Server, serving

SYMPTOMS = "What are the symptoms of gout?"


def _texts(page: str, pattern: str) -> list[str]:
    """What a page has in some elements, without the tags within."""
    found = re.findall(pattern, page, re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", each)).strip() for each in found]


def test_every_sentence_leads_to_the_place_in_the_text_where_it_stands(server: Server) -> None:
    page = server.page(question=SYMPTOMS).text
    sentences = _texts(page, r"<span>(.*?)</span><sup>")
    links = re.findall(r'<sup><a href="#([^"]+)"', page)
    assert len(sentences) == len(links) > 1
    for sentence, link in zip(sentences, links, strict=True):
        assert _texts(page, rf'<mark id="{link}"[^>]*>(.*?)</mark>') == [sentence]
    assert "- fever</span>" in page.replace("<br>", "")
    assert TEXTS["gout-2"][0] in _texts(page, "<blockquote>(.*?)</blockquote>")[0]


def test_where_there_is_no_text_the_sentence_leads_to_the_facts_that_it_states(
    server: Server,
) -> None:
    page = server.page(question="Is aspirin contraindicated in asthma?").text
    said = ["Yes.", "Aspirin: contraindicated for: asthma."]
    assert _texts(page, r"<span>(.*?)</span><sup>") == said
    links = re.findall(r'<sup><a href="#([^"]+)"', page)
    assert links == [links[0]] * len(said)
    (edge,) = _texts(page, rf'<li id="{links[0]}"[^>]*>(.*?)</li>')
    assert edge == "Aspirin \u2013 contraindicated for → asthma (s)"


def test_facts_come_with_their_references_as_links_of_the_web_alone(server: Server) -> None:
    page = server.page(question=SYMPTOMS).text
    (references,) = re.findall(r'<ol class="references">(.*?)</ol>', page, re.DOTALL)
    assert re.findall('href="([^"]+)"', references) == [
        "https://example.org/gout?a=1",
        "https://pubmed.ncbi.nlm.nih.gov/123/",
    ]
    assert "javascript:alert(1)" in references
    assert 'href="javascript' not in page


def test_at_most_forty_things_are_drawn_and_the_others_are_counted(server: Server) -> None:
    page = server.page(question="What are the symptoms of psoriasis?").text
    drawings = re.findall(r"<svg(.*?)</svg>", page, re.DOTALL)
    assert [drawing.count("<a ") for drawing in drawings] == [40, 40]
    assert f"and {MANY + 1 - 40} others" in page
    assert len(_texts(page, r'<li id="part-1-edge-\d+"[^>]*>(.*?)</li>')) == 39


def test_html_and_cypher_in_questions_names_and_texts_are_text(server: Server) -> None:
    for question in (
        f"What are the symptoms of asthma? {ODD}",
        "MATCH (n) DETACH DELETE n // gout",
        "'; DROP TABLE gout; --",
        "{{ 7 * 7 }} gout 😀 \u202e\x00",
    ):
        reply = server.page(question=question)
        assert reply.status == 200
        assert "<script>alert" not in reply.text
        assert "49" not in reply.text
    page = server.page(question="What are the symptoms of asthma?").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;odd&#34;" in page
    assert "<script>alert" not in page
    assert "<b>" not in server.page("/thing", id="MONDO:1").text.split("Also called")[1]


def test_question_is_answered_in_its_language_or_the_one_that_is_chosen(server: Server) -> None:
    page = server.page(question="痛风有什么症状").text
    assert '<html lang="zh">' in page
    assert _texts(page, "<h1[^>]*>(.*?)</h1>") == ["痛风（MONDO:1）：症状"]
    facts, note, quoted = (
        page.index(said)
        for said in ("痛风的症状：发热", "没有与此相关的中文文本", "The symptoms of gout are")
    )
    assert facts < note < quoted
    assert len(_texts(page, '<p class="prose">(.*?)</p>')) == 2
    assert '<html lang="zh">' in server.page(question=SYMPTOMS, lang="zh").text
    assert '<html lang="en">' in server.page(question="痛风有什么症状", lang="en").text
    browser = server.send("GET", "/", headers={"Accept-Language": "fr, zh-CN;q=0.9, en;q=0.8"})
    assert '<html lang="zh">' in browser.text


def test_next_question_may_leave_out_what_it_is_about_more_than_once(server: Server) -> None:
    first = server.page(question=SYMPTOMS).text
    (previous,) = _texts(first, r'name="previous" value="(.*?)"')
    second = server.page(question="and its causes?", previous=previous).text
    assert f"Understood as a follow-up question: {SYMPTOMS}" in unescape(second)
    assert _texts(second, r'name="previous" value="(.*?)"') == [SYMPTOMS]
    unrelated = server.page(question="symptoms of asthma", previous=previous).text
    assert "Understood as a follow-up question" not in unrelated
    alone = server.ask("and its symptoms?")
    assert "does not say about what" in alone.json["parts"][0]["problem"]
    (part,) = server.ask("and its symptoms?", previous="what is gout?").json["parts"]
    assert part["entities"][0]["id"] == "MONDO:1"


def test_emergency_gets_the_advice_alone_and_a_greeting_how_to_ask(server: Server) -> None:
    page = server.page(question="my chest hurts").text
    assert _texts(page, "<h1[^>]*>(.*?)</h1>") == ["Get help first"]
    assert "call your local emergency number" in page
    assert "<svg" not in page
    assert "Ask about a disease" in server.page(question="hello").text
    assert server.ask("我胸痛").json["emergency"]["advice"].startswith("这可能是急症")


def test_what_is_not_in_the_graph_is_said_so(server: Server) -> None:
    page = server.page(question="symptoms of zorblax")
    assert page.status == 200
    assert "zorblax" in _texts(page.text, '<p class="problem">(.*?)</p>')[0]
    too_long = server.page(question="gout " * 1000)
    assert too_long.status == 422
    assert "ask in 2000 at most" in too_long.text


def test_thing_shows_its_names_id_type_and_facts_and_can_be_asked_about(server: Server) -> None:
    page = server.page("/thing", id="HP:9", lang="en").text
    assert _texts(page, "<h1[^>]*>(.*?)</h1>") == ["Fever"]
    assert _texts(page, '<p class="source">(.*?)</p>')[0].startswith("symptom · HP:9 · s")
    assert _texts(page, '<p class="names">(.*?)</p>') == ["Also called: 发热"]
    assert _texts(page, "<dt>(.*?)</dt>") == ["← has symptom"]
    assert _texts(page, "<dd>(.*?)</dd>") == ["gout"]
    (asked,) = re.findall(r'href="(/\?question=[^"]+)"', page)
    assert "MONDO:1" in server.send("GET", unescape(asked)).text


@pytest.mark.parametrize("id_", ["", "HP:404", "x" * 5000, "HP:9' OR 1=1", "\ud7ff\x00"])
def test_thing_that_the_graph_has_not_is_not_found(server: Server, id_: str) -> None:
    page = server.page("/thing", id=id_)
    assert page.status == 404
    assert "the graph has nothing with this id" in page.text


def test_json_is_what_the_command_line_prints(
    server: Server, home: Path, cli: CommandLine
) -> None:
    for question in (SYMPTOMS, "痛风有什么症状"):
        printed = cli("ask", question, "--json", env={"MEDKG_HOME": str(home)})
        assert server.ask(question).json == json.loads(printed.out)


def test_a_hundred_at_once_are_answered_as_one_alone(server: Server) -> None:
    questions = [SYMPTOMS, "痛风有什么症状", "asthma symptoms", "symptoms of zorblax"]
    alone = {question: server.ask(question).text for question in questions}
    with ThreadPoolExecutor(100) as threads:
        many = list(threads.map(lambda at: server.ask(questions[at % 4]).text, range(100)))
    assert many == [alone[questions[at % 4]] for at in range(100)]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "the body is no JSON in UTF-8; send"),
        (b'{"question": ', 400, "the body is no JSON in UTF-8"),
        (b'{"question": "\xff"}', 400, "the body is no JSON in UTF-8"),
        (b"[" * 60_000, 400, "the body is no JSON in UTF-8"),
        (b'{"question": 1' + b"0" * 5000 + b"}", 400, "the body is no JSON in UTF-8"),
        (b'["gout"]', 422, "the body is no JSON object; send"),
        (b"{}", 422, "question: Field required"),
        (b'{"question": null}', 422, "question: Input should be a valid string"),
        (b'{"question": "\\ud800"}', 422, "question: Input should be a valid string"),
        (b'{"question": "gout", "previous": 1}', 422, "previous: Input should be"),
        (b'{"question": "gout", "x": 1}', 422, "x: Extra inputs are not permitted"),
        (b'{"question": "gout", "lang": "fr"}', 422, "lang: choose one of en, zh"),
        (b'{"question": ""}', 422, "has no words"),
        (b'{"question": "' + b"gout " * 600 + b'"}', 422, "ask in 2000 at most"),
        (b" " * 70_000, 413, "the body has more than 65,536 bytes"),
        (b" " * 10_000_000, 413, "the body has more than 65,536 bytes"),
    ],
)
def test_broken_question_is_refused_in_one_sentence(
    server: Server, body: bytes, status: int, message: str
) -> None:
    reply = server.post(body)
    assert (reply.status, reply.headers["content-type"]) == (status, "application/json")
    assert message in reply.error
    assert "\n" not in reply.error


def test_body_that_comes_in_pieces_is_counted_too(server: Server) -> None:
    pieces: Iterator[bytes] = iter([b" " * 1000] * 100)
    assert server.post(pieces).status == 413


def test_body_that_is_no_json_by_its_header_is_refused(server: Server) -> None:
    reply = server.post(b'{"question": "gout"}', "text/plain")
    assert (reply.status, reply.error) == (
        415,
        "the body is no JSON; send Content-Type: application/json",
    )


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/ask", 405, "GET is not for /ask; send POST"),
        ("DELETE", "/ask", 405, "DELETE is not for /ask; send POST"),
        ("POST", "/", 405, "POST is not for /; send"),
        ("GET", "/nothing", 404, "there is no page /nothing here; ask on /"),
        ("GET", "/static/../app.py", 404, "there is no page"),
        ("GET", "/static/%2e%2e/app.py", 404, "there is no page"),
        ("GET", "/static/", 404, "there is no page"),
    ],
)
def test_wrong_method_or_path_is_told_which_is_right(
    server: Server, method: str, path: str, status: int, said: str
) -> None:
    reply = server.send(method, path)
    assert reply.status == status
    assert said in reply.text
    assert ("allow" in reply.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/", "/ask", "/nothing", "/static/page.js", "/thing?id=x"])
def test_every_reply_keeps_browsers_from_running_or_reading_what_is_not_its_own(
    server: Server, path: str
) -> None:
    headers = server.send("GET", path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_page_has_no_style_or_script_of_its_own(server: Server) -> None:
    for page in (server.page(), server.page(question=SYMPTOMS), server.page("/thing", id="HP:9")):
        assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?! src=)", page.text) == []
        own = re.findall(r'(?:src|<link[^>]* href)="([^"]+)"', page.text)
        assert own
        assert all(each.startswith("/static/") for each in own)


def test_foreign_host_is_refused(server: Server) -> None:
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
        reply = server.send("POST", "/ask", b"{}", {"Host": host})
        assert (reply.status, reply.text.partition(";")[0]) == (
            400,
            "this server is not called so",
        )


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost:8765", True),
        ("LOCALHOST.", True),
        ("127.0.0.1:8765", True),
        ("192.168.1.7", True),
        ("[::1]:8765", True),
        ("[::1]", True),
        ("desk.example:80", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1:x", False),
        ("", False),
        (":80", False),
    ],
)
def test_address_or_own_name_is_a_host_of_this_machine(host: str, *, own: bool) -> None:
    assert is_own(host, frozenset({"localhost", "desk.example"})) == own


def test_bytes_that_are_no_http_stop_nothing(server: Server) -> None:
    for sent in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(sent + b"\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
    head = b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nhalf"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head)
    assert server.ask(SYMPTOMS).status == 200


def test_body_that_does_not_come_is_not_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_BODY_SECONDS", 0.1)
    head = b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head)
        assert connection.recv(100).startswith(b"HTTP/1.1 408")


def test_who_comes_when_too_many_wait_is_told_to_come_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MOST_WAITING", 0)
    reply = server.ask(SYMPTOMS)
    assert (reply.status, reply.headers["retry-after"]) == (503, "2")
    assert reply.error == "too many questions at once; ask again in a moment"
    assert server.page(question=SYMPTOMS).status == 503
    assert server.page().status == 200


def test_graph_that_fails_is_told_in_a_sentence(home: Path) -> None:
    with serving(home) as server:
        with server.current.answerer() as answerer:
            answerer.store.close()
        reply = server.ask(SYMPTOMS)
        assert (reply.status, reply.json["error"]["type"]) == (503, "StoreError")
        assert "closed" in reply.error
        page = server.page(question=SYMPTOMS)
        assert (page.status, 'role="alert"' in page.text) == (503, True)


def test_mistake_of_the_program_is_told_without_its_traces(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "parts_of", None)
    page = server.page(question=SYMPTOMS)
    assert page.status == 500
    assert "a mistake in medkg; the window where the server runs shows where" in page.text
    assert f'value="{SYMPTOMS}"' in page.text
    assert "Traceback" not in page.text
    assert page.headers["x-content-type-options"] == "nosniff"
    monkeypatch.undo()
    assert server.page(question=SYMPTOMS).status == 200
