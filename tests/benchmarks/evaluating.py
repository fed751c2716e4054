"""What medkg adds to a turn of a dialogue, beside a bare solver of Inspect with the same four calls."""

import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.run import Run

_AT_ONCE: Final = 32
_FEW, _MANY = 20, 120
"""Dialogues of two runs, so that what a run takes to begin and to end falls out."""
_SLOW: Final = 200
_SECOND: Final = 1.0
_TURNS: Final = 2
"""Of a dialogue with the scripted players."""
_CALLS: Final = 4
"""Of a turn: patient, doctor, director, judge."""


def evaluating(run: Run) -> Iterator[Figure]:
    """The overhead of a turn, and how near many slow dialogues come to what is possible."""
    home = run.made("evaluated")
    run.once("evaluated", "evaluating:home", out=home)
    turns = run.once("evaluating-turns", "evaluating:turns", home=home)
    yield Figure.of(
        f"a turn of MedKGEval beyond its four calls, {_AT_ONCE} connections",
        Unit.MILLISECONDS,
        turns.answer["ours"] - turns.answer["bare"],
        rival="the same four calls in a bare solver of Inspect",
        theirs=turns.answer["bare"],
        load=turns.load,
        target=0.012,
    )
    slow = run.once("evaluating-slow", "evaluating:slow", home=home)
    yield Figure.of(
        f"{_SLOW} dialogues, an endpoint that takes a second, {_AT_ONCE} connections",
        Unit.SECONDS,
        slow.answer["took"],
        rival="its seconds alone",
        theirs=slow.answer["ideal"],
        load=slow.load,
        target=1.15 * slow.answer["ideal"],
    )


def home(out: str) -> None:
    """The demo's graph, and cases of it."""
    from click.testing import CliRunner  # noqa: PLC0415 - only here

    from kg.commands import main  # noqa: PLC0415

    os.environ["MEDKG_HOME"] = out
    for line in ("build", f"eval cases -n {_SLOW}"):
        done = CliRunner().invoke(main, line.split(), catch_exceptions=False)
        if done.exit_code:
            raise RuntimeError(done.output)


def turns(home: str) -> dict[str, float]:
    """Seconds of a turn by the clock, with endpoints that answer at once."""
    from tests.evalsim.endpoint import endpoint  # noqa: PLC0415
    from tests.evalsim.scripts import doctor  # noqa: PLC0415

    os.environ["MEDKG_HOME"] = home
    with endpoint(_any_role) as served, endpoint(doctor) as doctors:
        ours = {n: _ours(home, served.url, doctors.url, n) for n in (_FEW, _MANY)}
        bare = {n: _bare(served.url, n) for n in (_FEW, _MANY)}
    more = (_MANY - _FEW) * _TURNS
    return {
        "ours": (ours[_MANY] - ours[_FEW]) / more,
        "bare": (bare[_MANY] - bare[_FEW]) / more,
    }


def slow(home: str) -> dict[str, float]:
    """Seconds of many dialogues whose roles share an endpoint that takes one for each answer."""
    os.environ["MEDKG_HOME"] = home
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    # an endpoint elsewhere takes nothing of this process
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    url = ours.recv()
    took = _ours(home, url, url, _SLOW, at_once=_SLOW)
    ours.send(None)
    answers, at_once = ours.recv()
    process.join()
    if at_once > _AT_ONCE:
        raise RuntimeError(f"{at_once} requests at once, where {_AT_ONCE} are allowed")
    return {"took": took, "ideal": answers * _SECOND / _AT_ONCE}


def _serve(told: Connection) -> None:
    """Answer until told to stop; says first where, at last how many requests there were, and how many at once."""
    from tests.evalsim.endpoint import endpoint  # noqa: PLC0415

    with endpoint(_any_role, delay=_SECOND) as served:
        told.send(served.url)
        told.recv()
        told.send((len(served.asked), served.at_once))


def _ours(home: str, url: str, doctor: str, dialogues: int, *, at_once: int = _AT_ONCE) -> float:
    from evalsim.running.roles import read_cast  # noqa: PLC0415
    from evalsim.running.run import RunOptions, run  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # with one key and one name of the model the roles share their connections
        at = {"model": "m", "base_url": url, "key": "ROLES_KEY", "max_connections": _AT_ONCE}
        os.environ["ROLES_KEY"] = "sk-roles"
        roles = dict.fromkeys(("director", "patient", "judge"), at)
        roles["doctor"] = at if doctor == url else {**at, "model": "d", "base_url": doctor}
        file = folder / "roles.yaml"
        file.write_text(json.dumps(roles), "utf-8")
        options = RunOptions(
            task="diagnosis",
            cases=Path(home) / "cases" / "diagnosis-en.jsonl",
            folder=folder / "run",
            cast=read_cast({}, file, "offline"),
            limit=dialogues,
            max_samples=at_once,
        )
        begun = time.perf_counter()
        run(options)
        return time.perf_counter() - begun


def _bare(url: str, dialogues: int) -> float:
    """The same number of calls with prompts of the same kind, as rarely collected, and nothing else."""
    from inspect_ai import Task  # noqa: PLC0415
    from inspect_ai import eval as evaluate  # noqa: PLC0415
    from inspect_ai.dataset import MemoryDataset, Sample  # noqa: PLC0415
    from inspect_ai.model import (  # noqa: PLC0415
        ChatMessage,
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        get_model,
    )
    from inspect_ai.solver import Generate, Solver, TaskState, solver  # noqa: PLC0415

    from evalsim.running.run import rarely_collected  # noqa: PLC0415

    model = get_model(
        "openai-api/medkg/m",
        base_url=url,
        api_key="none",
        memoize=False,
        config=GenerateConfig(max_connections=_AT_ONCE),
    )
    prompt = "You play a part in a consultation between a patient and a doctor. " * 20

    @solver
    def four_calls() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            del generate
            # before the first turn the director is asked twice, as in ours
            for at in range(2 + _TURNS * _CALLS):
                messages: list[ChatMessage] = [
                    ChatMessageSystem(content=prompt),
                    ChatMessageUser(content=f"{at}"),
                ]
                await model.generate(messages)
            return state

        return solve

    samples = [Sample(id=str(at), input="x") for at in range(dialogues)]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with rarely_collected():
            evaluate(
                Task(dataset=MemoryDataset(samples), solver=four_calls()),
                model=model,
                log_dir=folder,
                max_samples=_AT_ONCE,
                log_realtime=False,
                log_model_api=True,
                display="none",
                ctl_server=False,
                acp_server=False,
            )
        return time.perf_counter() - begun


def _any_role(asked: object, number: int) -> str:
    """Whatever the prompt asks for."""
    from tests.evalsim import scripts  # noqa: PLC0415
    from tests.evalsim.endpoint import Asked  # noqa: PLC0415

    assert isinstance(asked, Asked)
    if "You are a doctor" in asked.system:
        return scripts.doctor(asked, number)
    if "You score" in asked.system:
        return scripts.judge(asked, number)
    if '"mark"' in asked.system:
        return scripts.director(asked, number)
    return scripts.patient(asked, number)
