"""Dialogues in a few words, for tests."""

from collections.abc import Sequence

from evalsim.case import Language, Task
from evalsim.dialogue import Dialogue, EndReason, Instruction, Judgement, Turn, Violation
from evalsim.metrics import Played
from evalsim.plan import Persona, Plan

ONE = "judge-a"
Given = float | None | dict[str, float | None]
"""A score of one judge, or of several by name."""


def judged(metric: str, given: Given) -> tuple[Judgement, ...]:
    rows = given if isinstance(given, dict) else {ONE: given}
    return tuple(
        Judgement(judge=judge, metric=metric, score=score, reason="as it is")
        for judge, score in rows.items()
    )


def consulted(
    scores: Sequence[dict[str, Given]],
    *,
    case: str = "gout-1",
    task: Task = "diagnosis",
    language: Language = "en",
    end: EndReason | None = None,
    said: Sequence[str] = (),
    replies: Sequence[str] = (),
    broken: Sequence[int] = (),
) -> Dialogue:
    """A turn for each entry of scores: by metric, what the judges gave."""
    turns = [
        Turn(
            number=at + 1,
            instruction=Instruction(intent="tell"),
            patient=said[at] if said else "My toe hurts.",
            violations=(Violation(rule="volunteered", about="toe"),) if at + 1 in broken else (),
            doctor=replies[at] if replies else "Do you have a fever?",
            judgements=tuple(
                row for metric, given in own.items() for row in judged(metric, given)
            ),
        )
        for at, own in enumerate(scores)
    ]
    ended = EndReason.DIAGNOSED if task == "diagnosis" else EndReason.ALL_ASKED
    return Dialogue(
        case=case,
        task=task,
        language=language,
        plan=Plan(persona=Persona(age=50, sex="male")),
        turns=turns,
        end=end or ended,
    )


def played(
    doctor: str, dialogue: Dialogue, *, target: str = "", repeat: int = 1, directed: bool = True
) -> Played:
    name = target or dialogue.case.rsplit("-", 1)[0]
    return Played(dialogue, doctor, name, repeat=repeat, directed=directed)


def diagnosed(doctor: str, case: str, correctness: Given, *history: Given) -> Played:
    """A dialogue of diagnosis with a turn for each score of history-taking, one at least."""
    scores: list[dict[str, Given]] = [{"history_taking": given} for given in history or (1.0,)]
    scores[-1]["correctness"] = correctness
    return played(doctor, consulted(scores, case=case))


def advised(
    doctor: str, case: str, *scores: Given, replies: Sequence[str] = (), language: Language = "en"
) -> Played:
    """A dialogue about a drug with a turn for each score of comprehensiveness."""
    rows: list[dict[str, Given]] = [{"comprehensiveness": given} for given in scores]
    dialogue = consulted(rows, case=case, task="medication", replies=replies, language=language)
    return played(doctor, dialogue)
