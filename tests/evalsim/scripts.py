"""What endpoints answer in the four roles: honest players, as a model would write."""

import json
from hashlib import blake2b

from tests.evalsim.endpoint import Asked, Fails, Script, given


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


def reading_judge(asked: Asked, number: int) -> str:
    """A judge that reads the case and the last reply in its prompt.

    A diagnosis is worth 3 where it names the disease; two questions are worth 2, one 1.
    """
    del number
    target, turns = quoted(asked, 0), quoted(asked, -1)
    reply = turns[-1]["doctor"]  # type: ignore[index]
    names = {target["name"].lower(), (target.get("name_zh") or "").lower()} - {""}  # type: ignore[attr-defined, index]
    named = any(name in reply.lower() for name in names)
    questions = reply.count("?") + reply.count("？")
    score = 3 * named if "(0 to 3)" in asked.system else min(questions, 2)
    return given(asked, reason="It is so.", facts=[], score=score, flags=[])


def failing_judge(share: float, seed: int) -> Script:
    """The same judge, which fails in a share of the calls; the same call always fares alike.

    In turn by an error of the server, JSON that breaks off, an empty answer, and a refusal.
    """

    def answer(asked: Asked, number: int) -> str | Fails:
        words = f"{seed} {asked.system} {asked.last}".replace(asked.mark, "")
        drawn = int.from_bytes(blake2b(words.encode(), digest_size=8).digest())
        if drawn >= share * 2**64:
            return reading_judge(asked, number)
        ways = (Fails(), reading_judge(asked, number)[:-9], "", "I cannot judge this.")
        return ways[drawn % len(ways)]

    return answer
