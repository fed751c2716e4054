import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import pytest

from kg.linking.evaluation import Evaluation, evaluate, pairs, speaks_of
from kg.linking.figures import TextFigures
from kg.linking.gold import Gold
from kg.linking.measures import Retrieval, Share
from kg.linking.mention import Candidate, Mention


def candidate(id_: str, type_: str = "Disease", score: float = 1.0, cui: str = "") -> Candidate:
    return Candidate(id_, type_, id_, id_, "en", score, (cui,) if cui else ())


def mention(start: int, end: int, *candidates: Candidate, linked: bool = True) -> Mention:
    return Mention(start, end, "x" * (end - start), "exact", candidates, linked)


@dataclass
class Said:
    """A linker that always says the same, and keeps the types that it was asked for."""

    mentions: Sequence[Mention]
    types: Collection[str] | None = None

    def link(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> list[Mention]:
        del text
        return [m for m in self.mentions if spans is None or (m.start, m.end) in spans]

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        del mention
        self.types = types
        return self.mentions[0]


def gold(*lines: object) -> Gold:
    return Gold.of_bytes("\n".join(map(json.dumps, lines)).encode(), "gold.jsonl")


def marked(start: int, end: int, *ids: str, **more: object) -> dict[str, object]:
    return {"start": start, "end": end, "ids": ids, **more}


def text(*mentions: dict[str, object], **more: object) -> dict[str, object]:
    return {"text": "x" * 40, "mentions": mentions, **more}


def rows(runnings: Sequence[TextFigures], group: str = "all") -> dict[str, Retrieval]:
    return {row.spans: row.retrieval for row in runnings if row.group == group}


# Gold: A at 0-5, B at 10-15, C at 20-25. Found: A at 0-5; B at 10-18, too long;
# something else at 20-25; and D at 30-35, where nothing is.
GOLD = gold(text(marked(0, 5, "X:A"), marked(10, 15, "X:B"), marked(20, 25, "X:C")))
FOUND = Said(
    [
        mention(0, 5, candidate("X:A")),
        mention(10, 18, candidate("X:B")),
        mention(20, 25, candidate("X:Z")),
        mention(30, 35, candidate("X:D")),
    ]
)


def test_recognition_counts_spans_whatever_they_are_linked_with() -> None:
    assert rows(evaluate(FOUND, GOLD).recognition) == {
        "exact": Retrieval.of(2, predicted=4, gold=3),
        "overlapping": Retrieval.of(3, predicted=4, gold=3),
    }


def test_linking_counts_spans_with_a_right_entity() -> None:
    assert rows(evaluate(FOUND, GOLD).linking) == {
        "exact": Retrieval.of(1, predicted=4, gold=3),
        "overlapping": Retrieval.of(2, predicted=4, gold=3),
    }


def test_abstaining_from_a_mention_is_recognition_without_linking() -> None:
    unsure = Said([mention(0, 5, candidate("X:A"), linked=False)])
    done = evaluate(unsure, gold(text(marked(0, 5, "X:A"))))
    assert rows(done.recognition)["exact"] == Retrieval.of(1, predicted=1, gold=1)
    assert rows(done.linking)["exact"] == Retrieval.of(0, predicted=0, gold=1)


def test_linking_a_mention_that_has_no_entity_is_wrong() -> None:
    done = evaluate(Said([mention(0, 5, candidate("X:A"))]), gold(text(marked(0, 5))))
    assert rows(done.recognition)["exact"] == Retrieval.of(1, predicted=1, gold=1)
    assert rows(done.linking)["exact"] == Retrieval.of(0, predicted=1, gold=0)


def test_by_type_precision_is_of_what_was_found_and_recall_of_what_was_there() -> None:
    # X:A is a Disease for the gold file and is found as a Symptom of the right id.
    said = Said([mention(0, 5, candidate("X:A", "Symptom")), mention(6, 9, candidate("X:B"))])
    done = evaluate(said, gold(text(marked(0, 5, "X:A", type="Disease"))))
    disease = rows(done.linking, "type Disease")["exact"]
    assert (disease.precision, disease.recall) == (Share(right=0, of=1), Share(right=1, of=1))
    symptom = rows(done.linking, "type Symptom")["exact"]
    assert (symptom.precision, symptom.recall) == (Share(right=1, of=1), Share(right=0, of=0))


def test_types_that_nobody_marked_do_not_count() -> None:
    said = Said([mention(0, 5, candidate("X:A")), mention(6, 9, candidate("X:G", "Gene"))])
    done = evaluate(said, gold(text(marked(0, 5, "X:A"), types=["Disease"])))
    assert rows(done.recognition)["exact"] == Retrieval.of(1, predicted=1, gold=1)


def test_languages_are_counted_apart() -> None:
    lines = text(marked(0, 5, "X:A"), language="zh"), text(marked(0, 5, "X:B"))
    done = evaluate(Said([mention(0, 5, candidate("X:A"))]), gold(*lines))
    assert rows(done.linking, "language zh")["exact"].f1 == 1
    assert rows(done.linking, "language en")["exact"].f1 == 0


def test_concept_of_a_candidate_is_right_too() -> None:
    assert speaks_of(candidate("X:A", cui="C0000001"), {"C0000001"})
    assert not speaks_of(candidate("X:A", cui="C0000002"), {"C0000001"})


def test_mention_without_surroundings_is_resolved_among_the_types_of_its_line() -> None:
    said = Said([mention(0, 1, candidate("X:Z", score=0.9), candidate("X:A", score=0.8))])
    line = {"mention": "a", "ids": ["X:A"], "type": "Disease", "types": ["Disease"]}
    done = evaluate(said, gold(line, {**line, "ids": []}))
    assert said.types == {"Disease"}
    given = done.of("type Disease")
    assert given
    # One of two has an entity, which is the second candidate; both are linked.
    assert given.decisions.at_1 == Share(right=0, of=1)
    assert given.decisions.at_5 == Share(right=1, of=1)
    assert given.decisions.linking == Retrieval.of(0, predicted=2, gold=1)
    assert given.decisions.abstained == Share(right=0, of=1)
    assert {point.threshold: point.coverage.right for point in given.curve} == {
        **dict.fromkeys((0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9), 2),
        **dict.fromkeys((0.95, 1.0), 0),
    }
    assert not done.recognition


def test_mentions_of_a_text_are_also_linked_by_their_given_spans() -> None:
    # C's span is not among those that were found: no answer.
    given = evaluate(FOUND, GOLD).of()
    assert given
    assert given.decisions.at_1 == Share(right=1, of=3)
    assert given.decisions.coverage == Share(right=2, of=3)


def test_flags_count_on_mentions_that_were_found_and_looked_at() -> None:
    # Negated: said of 0-5 (rightly) and 10-15 (wrongly), not of 20-25 (wrongly);
    # 30-35 was not found, and nobody looked at 36-38.
    lines = text(
        marked(0, 5, "X:A", negated=True),
        marked(10, 15, "X:A", negated=False),
        marked(20, 25, "X:A", negated=True),
        marked(30, 35, "X:A", negated=True),
        marked(36, 38, "X:A"),
    )
    plain = [mention(*span, candidate("X:A")) for span in ((0, 5), (10, 15), (20, 25), (36, 38))]
    said = Said([replace(m, negated=m.start in (0, 10, 36)) for m in plain])
    (flag,) = evaluate(said, gold(lines)).flags
    assert (flag.flag, flag.retrieval) == ("negated", Retrieval.of(1, predicted=2, gold=2))


@pytest.mark.parametrize(
    ("mine", "found", "expected"),
    [
        ([(0, 5)], [(0, 5)], [(0, 0)]),
        ([(0, 5)], [(5, 9)], []),
        ([(0, 5), (6, 9)], [(0, 9)], [(0, 0)]),
        ([(0, 9)], [(0, 5), (6, 9)], [(0, 0)]),
        ([(0, 9), (10, 12)], [(0, 5), (8, 11)], [(0, 0), (1, 1)]),
        ([(0, 5), (2, 4)], [(2, 4)], [(1, 0)]),
        ([], [(0, 5)], []),
    ],
)
def test_a_found_span_answers_for_one_span_at_most(
    mine: list[tuple[int, int]],
    found: list[tuple[int, int]],
    expected: list[tuple[int, int]],
) -> None:
    assert pairs(mine, found) == expected


def test_tables_have_the_figures_and_json_gives_them_back() -> None:
    done = evaluate(FOUND, GOLD)
    tables = done.tables()
    assert list(tables) == ["recognition", "linking", "mentions", "abstaining"]
    # P = 1/4, R = 1/3, F1 = 2/7
    assert tables["linking"].dicts()[0] == {
        "group": "all",
        "spans": "exact",
        "predicted": 4,
        "gold": 3,
        "precision": 0.25,
        "recall": 0.3333,
        "F1": 0.2857,
    }
    assert Evaluation.model_validate_json(done.model_dump_json()) == done
    assert json.loads(done.model_dump_json())["linking"][0]["retrieval"]["f1"] == pytest.approx(
        2 / 7
    )
