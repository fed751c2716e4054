from pathlib import Path

import pytest

from tests.experiments.retrieval.medquad import Answered, answered
from tests.experiments.retrieval.run import learned, sets, split

PAGE = """<Document id="{id}" source="GARD"><Focus>{focus}</Focus>
<FocusAnnotations><UMLS><CUIs><CUI>{cui}</CUI></CUIs></UMLS></FocusAnnotations>
<QAPairs><QAPair pid="1"><Question qid="{id}-1" qtype="symptoms">{question}</Question>
<Answer>{answer}</Answer></QAPair></QAPairs></Document>"""


def write(data: Path, *pages: tuple[str, str, str, str]) -> None:
    (data / "medquad" / "GARD").mkdir(parents=True)
    for at, (focus, cui, question, answer) in enumerate(pages):
        text = PAGE.format(id=at, focus=focus, cui=cui, question=question, answer=answer)
        (data / "medquad" / "GARD" / f"{at}.xml").write_text(text, "utf-8")


def test_pages_of_a_focus_or_a_rare_concept_are_one_disease(tmp_path: Path) -> None:
    write(
        tmp_path,
        ("Gout", "C1", "What is Gout ?", "a"),
        ("GOUT", "C2", "What is GOUT ?", "b"),
        ("Podagra", "C2", "What is Podagra ?", "c"),
        ("Asthma", "C3", "What is Asthma ?", "d"),
        ("Rickets", "C4", "What is Rickets ?", ""),
    )
    assert [(r.focus, r.disease, r.frame) for r in answered(tmp_path)] == [
        ("Gout", "gout", "what is *"),
        ("GOUT", "gout", "what is *"),
        ("Podagra", "gout", "what is *"),
        ("Asthma", "asthma", "what is *"),
    ]


def test_concept_of_many_foci_joins_none(tmp_path: Path) -> None:
    write(tmp_path, *((f"Syndrome {n}", "C0039082", "What ?", str(n)) for n in range(5)))
    assert len({r.disease for r in answered(tmp_path)}) == 5


def test_no_disease_is_asked_about_and_learned() -> None:
    rows = [
        Answered("GARD", f"D{n % 60}", "symptoms", f"Signs of D{n % 60} ?", str(n), f"d{n % 60}")
        for n in range(300)
    ]
    rows.append(Answered("CDC", "D1", "symptoms", "how does d1 begin?", "x", "d1"))
    parts = split(rows, 0)
    asked = {parts.all[at].disease for at in parts.test}
    assert asked & {row.disease for row in parts.train} == set()
    assert "d1" in asked  # its form is rare
    assert len(parts.test) + len(parts.train) == len(rows)
    own, made = learned(parts, 20, 0).values()
    assert [p.passage for p in own[:10]] == [p.passage for p in made]
    assert all(p.question != q.question for p, q in zip(own[:10], made, strict=True))


def test_each_question_seeks_its_own_answer(tmp_path: Path) -> None:
    rows = [
        Answered("GARD", f"D{n}", "symptoms", f"Signs of D{n} ?", f"text {n}", f"d{n}")
        for n in range(100)
    ]
    (tmp_path / "pubmedqa").mkdir()
    (tmp_path / "pubmedqa" / "ori_pqal.json").write_text(
        '{"1": {"QUESTION": "Why?", "CONTEXTS": ["One.", "Two."]}}', "utf-8"
    )
    usual, rare, reworded, articles = sets(split(rows, 0), tmp_path, 0)
    for asked in (usual, reworded):
        for question, place in zip(asked.questions, asked.own, strict=True):
            focus, _, _ = asked.passages[place].partition("\n")
            assert focus in question
            assert question not in asked.passages[place]
    assert rare.questions == ()
    assert (articles.questions, articles.passages) == (("Why?",), ("One.\nTwo.",))
    assert usual.questions != reworded.questions


@pytest.mark.parametrize("question", ["What is Crohn's Disease ?", "what is CROHN'S disease?"])
def test_form_is_the_question_without_its_focus(question: str) -> None:
    row = Answered("GARD", "Crohn's Disease", "information", question, "x", "d")
    assert row.frame == "what is *"
