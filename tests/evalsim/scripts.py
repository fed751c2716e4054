"""What endpoints answer in the four roles: honest players, as a model would write."""

import json

from tests.evalsim.endpoint import Asked, given


def quoted(asked: Asked, at: int = 0) -> object:
    """What the prompt quotes between its marks, by its place."""
    return json.loads(asked.last.split(f"<{asked.mark}>")[1::2][at])


def director(asked: Asked, number: int) -> str:
    """A director that tells the case's findings in their order, and ends on a diagnosis."""
    del number
    if '"speaker"' in asked.system:
        fields = {"age": 40, "sex": "male", "speaker": "patient", "style": "plain", "history": []}
        return given(asked, **fields)
    if "at most eight ids" in asked.system:
        case = quoted(asked, 1)
        ids = [finding["id"] for finding in case["findings"]]  # type: ignore[index]
        return given(asked, told=ids, further=[], left_out=[])
    if "list of pairs" in asked.system:
        case = quoted(asked, 1)
        facts = case["facts"]  # type: ignore[index]
        return given(asked, questions=[[fact["attribute"], fact["id"]] for fact in facts])
    said = json.loads(asked.last.split(f"<{asked.mark}>")[1::2][-1])
    diagnosed = "diagnosis is" in said[-1]["doctor"]
    reading = {"final": diagnosed, "said_diagnosis": "gout" if diagnosed else None}
    unreleased = quoted(asked, 2) if '"supplies": for each' in asked.system else []
    tell = [] if diagnosed else unreleased[:1]  # type: ignore[index]
    return given(asked, reading=reading, supplies=[], tell=tell)


def patient(asked: Asked, number: int) -> str:
    """A patient that says one thing."""
    del asked, number
    return "It hurts, doctor."


def doctor(asked: Asked, number: int) -> str:
    """A doctor that asks once, and then diagnoses."""
    del number
    turns = sum(message["role"] == "user" for message in asked.body["messages"])
    return "Do you have a fever?" if turns == 1 else "The diagnosis is gout."


def judge(asked: Asked, number: int) -> str:
    """A judge that gives every reply a 1."""
    del number
    verdict = {"reason": "It is so.", "facts": [], "score": 1, "flags": []}
    return "<think>Let me see.</think>\n```json\n" + given(asked, **verdict) + "\n```"
