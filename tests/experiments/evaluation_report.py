"""How large a report of many dialogues is, and how soon Chromium shows it.

``python -m tests.experiments.evaluation_report 10000 FOLDER`` makes so many dialogues of eight turns, by 20
doctors on 500 cases, writes their report into the folder and opens it. The words are drawn by Zipf's law
from 3,000 made-up ones: 400,000 characters of them become a third by gzip, of answers of ChatDoctor or
MedQuAD a fourth to a fifth.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from random import Random

import click
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from evalsim.dialogue import Instruction, Reading
from evalsim.report import write_report
from evalsim.running.logs import HeldDialogue
from tests.evalsim.report.dialogues import COUGH, FEVER, diagnosis_case, held, judgement, run, turn
from tests.pages.chromium import chromium, resize

_DOCTORS, _TURNS, _WORDS = 20, 8, 3_000
_LENGTHS = {"patient": 25, "doctor": 120, "reason": 40, "fact": 12}
"""Words."""


class Writer:
    """Writes texts of made-up words; the same seed gives the same."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - made-up words
        letters, weights = "etaoinshrdlucmfwypvbgkqjxz", [1 / (at + 1) for at in range(26)]
        self._words = [
            "".join(self._random.choices(letters, weights, k=self._random.randint(2, 9)))
            for _ in range(_WORDS)
        ]
        self._cumulated = [*accumulate(1 / (at + 3) for at in range(_WORDS))]

    def text(self, of: str) -> str:
        return " ".join(
            self._random.choices(self._words, cum_weights=self._cumulated, k=_LENGTHS[of])
        )


def dialogues(number: int) -> Iterator[HeldDialogue]:
    """Made one after the other, as they are read from logs."""
    writer, random = Writer(1), Random(2)  # noqa: S311 - made-up scores
    cases = max(1, number // _DOCTORS)
    facts = {at: tuple(writer.text("fact") for _ in range(6)) for at in range(cases)}
    for at in range(number):
        doctor, about = divmod(at, cases)
        turns = [
            turn(
                n,
                writer.text("patient"),
                writer.text("doctor"),
                *(
                    judgement(
                        metric,
                        random.randint(0, 2),
                        reason=writer.text("reason"),
                        facts=facts[about],
                    )
                    for metric in ("history_taking", "correctness")[: 1 + (n == _TURNS)]
                ),
                instruction=Instruction(intent="tell", tell=(FEVER,)),
                reading=Reading(asked=(COUGH,)),
            )
            for n in range(1, _TURNS + 1)
        ]
        case = diagnosis_case(about).model_copy(update={"id": f"case-{about}"})
        case = case.model_copy(
            update={"target": case.target.model_copy(update={"id": f"MONDO:{about}"})}
        )
        yield held(run(f"doctor-{doctor:02}"), case, turns)


def main(number: int, folder: Path) -> None:
    """Measure, and print a line for each figure."""
    began = time.perf_counter()
    written = write_report(dialogues(number), folder)
    click.echo(
        f"written in {time.perf_counter() - began:.1f} s, at most {_memory():,} MB of memory"
    )
    page = written.files[0]
    click.echo(f"page of {page.stat().st_size / 1e6:.1f} MB, {written.dialogues:,} dialogues")
    with chromium() as driver:
        resize(driver, 1300, 900)
        driver.get("about:blank")
        for view in ("", "#dialogues"):
            click.echo(f"opened{view} in {_opened(driver, page.as_uri() + view):.2f} s")
            driver.get("about:blank")
        _opened(driver, page.as_uri() + "#dialogues")
        box = driver.find_element(By.ID, "list")
        click.echo(
            f"a dialogue in {_until(driver, lambda: box.send_keys(Keys.END), '.turn'):.2f} s"
        )
        began = time.perf_counter()
        driver.find_element(By.ID, "search").send_keys("zzz-nowhere")
        WebDriverWait(driver, 60, 0.02).until(
            lambda d: d.find_element(By.ID, "count").text.startswith("0 ")
        )
        click.echo(f"searched in {time.perf_counter() - began:.2f} s")


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def _opened(driver: Chrome, address: str) -> float:
    """Seconds until the page is there and its script has the list."""
    began = time.perf_counter()
    driver.get(address)
    WebDriverWait(driver, 60, 0.02).until(lambda d: d.find_elements(By.CSS_SELECTOR, "body.ready"))
    return time.perf_counter() - began


def _until(driver: Chrome, act: Callable[[], object], found: str) -> float:
    began = time.perf_counter()
    act()
    WebDriverWait(driver, 60, 0.02).until(lambda d: d.find_elements(By.CSS_SELECTOR, found))
    return time.perf_counter() - began


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
