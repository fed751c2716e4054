"""``medkg qa evaluate``: how good the answers are, on questions whose answers are known."""

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.commands import Bars, graph_option, json_option, lang_option, show, show_json, speak
from kg.errors import EvaluationError

if TYPE_CHECKING:
    from kg.configuration import Settings
    from kg.stores.store import Value
    from qa.corpus import Document
    from qa.evaluation.questions import GoldQuestion
    from qa.evaluation.systems import GivenAnswers
    from qa.generation.candidates import Generator
    from qa.index import Index, Mode

_EXISTING = click.Path(exists=True, file_okay=False, path_type=Path)
_NEEDED = ("matplotlib", "pyphen", "scipy")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("evaluate")
@click.option(
    "--medquad", type=_EXISTING, required=True, metavar="FOLDER", help="The questions and texts."
)
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Keeps what is measured; a run that was stopped goes on.",
)
@click.option(
    "--protocol",
    type=click.Choice(["gold-excluded", "gold-present"]),
    default="gold-excluded",
    show_default=True,
    help="Answers, with the right texts taken out; or whether a search finds these.",
)
@click.option(
    "--questions", "count", type=click.IntRange(2), default=1000, show_default=True, metavar="N"
)
@click.option("--chronic", is_flag=True, help="Only of the ten chronic diseases of the paper.")
@click.option(
    "--mode",
    type=click.Choice(["bm25", "vector", "hybrid"]),
    default="bm25",
    show_default=True,
    help="Of the search for passages.",
)
@click.option(
    "--generator",
    "generators",
    multiple=True,
    metavar="NAME|PATH",
    help="Also a model that writes answers, as 'medkg ask --generator' has it; may be repeated.",
)
@click.option(
    "--answers",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help='Answers of another model, a line each: {"question": …, "answer": …}; may be repeated.',
)
@click.option(
    "--encoder",
    default="minilm",
    show_default=True,
    metavar="NAME|PATH|none",
    help="Of STS, and of the likeness of a candidate to the question.",
)
@click.option("--bertscore", metavar="NAME|PATH", help="Also BERTScore, by this model.")
@click.option("--nli", metavar="NAME|PATH", help="Also contradictions, by this model.")
@click.option(
    "--without",
    multiple=True,
    metavar="SOURCE",
    help="Sources of the graph that hold the answers.  [default: medquad, medquad-statements]",
)
@click.option("--seed", type=int, default=0, show_default=True)
@graph_option
@json_option
@lang_option
def evaluate_command(
    *,
    medquad: Path,
    work: Path,
    protocol: str,
    count: int,
    chronic: bool,
    mode: Any,  # noqa: ANN401 - of Mode, which click cannot say
    generators: tuple[str, ...],
    answers: tuple[Path, ...],
    encoder: str,
    bertscore: str | None,
    nli: str | None,
    without: tuple[str, ...],
    seed: int,
    graph: str | None,
    as_json: bool,
) -> None:
    """Measure the answers to MedQuAD's questions, or the search for their texts.

    With gold-excluded neither the texts that answer a question nor the facts that only they state
    can help to answer it. With gold-present they can, and how high they are ranked is measured.
    The figures of the two are no measure of each other. In the folder, report.md and report.json
    have all figures and densities.png the densities of scores.

    For example: medkg qa evaluate --medquad MedQuAD-master --work evaluation --questions 200
    """
    present = protocol == "gold-present"
    if present and (generators or answers or bertscore or nli or without):
        raise click.UsageError("only gold-excluded measures answers; gold-present, the search")
    if mode != "bm25" and encoder == "none":
        raise click.UsageError(f"--mode {mode} needs vectors: name a model with --encoder")
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise EvaluationError(
            f"measuring answers needs {', '.join(missing)}; install what is missing with "
            "\"pip install 'medkg[qa]'\""
        )
    import kg
    from qa.corpus import Document, medquad_documents
    from qa.evaluation.questions import gold_questions
    from qa.evaluation.run import draw

    speak()
    settings = kg.Settings.read()
    documents = [each for each in medquad_documents(medquad, Bars()) if isinstance(each, Document)]
    questions = [each for each in gold_questions(documents) if each.chronic or not chronic]
    questions = draw(questions, count, seed)
    if not questions:
        raise EvaluationError(f"{medquad}: there is no such question; measure without --chronic")
    vectors = encoder if mode != "bm25" else None
    index = _index(work / "texts", documents, medquad, vectors)
    if present:
        _search(questions, index, mode, work, as_json)
        return
    run = _Run(questions, index, mode, work, seed=seed)
    run.load(
        settings,
        generators=generators,
        answers=answers,
        encoder=encoder,
        bertscore=bertscore,
        nli=nli,
        without=without,
    )
    run.answers(settings, graph, as_json)


def _index(
    folder: Path, documents: "Sequence[Document]", medquad: Path, vectors: str | None
) -> "Index":
    """Of all texts without their questions; computed once."""
    from qa.corpus import MEDQUAD_CORPUS
    from qa.index import Index
    from qa.index.building import Change, change_index
    from qa.index.models import SentenceModel
    from qa.index.records import Passages

    change = Change(
        documents,
        collate=Passages(heading=False),
        corpora={MEDQUAD_CORPUS: str(medquad)},
        model="same" if vectors is None else SentenceModel.find(vectors),
    )
    change_index(folder, change, Bars())
    return Index.open(folder)


def _search(
    questions: "Sequence[GoldQuestion]", index: "Index", mode: "Mode", work: Path, as_json: bool
) -> None:
    from kg.stores.store import Rows
    from qa.evaluation.run import retrieve, state
    from qa.evaluation.summary import json_of, ranks

    folder = work / "gold-present"
    state(folder, {"index": index.manifest.checksum, "questions": _checksum(questions)})
    retrieval = ranks(retrieve(questions, index, mode, folder, Bars()))
    if as_json:
        show_json({"protocol": "gold-present", "mode": mode, **json_of(retrieval)})
        return
    own_row: tuple[Value, ...] = ("own", *retrieval.own.values())
    show(
        Rows(
            ("document", *retrieval.own), (own_row, ("equivalent", *retrieval.equivalent.values()))
        )
    )


class _Run:
    """A measurement of answers, gold excluded."""

    def __init__(
        self,
        questions: "Sequence[GoldQuestion]",
        index: "Index",
        mode: "Mode",
        work: Path,
        *,
        seed: int,
    ) -> None:
        self.asked, self.index, self.mode, self.seed = questions, index, mode, seed
        self.folder = work / "gold-excluded"
        self.generators: dict[str, Generator] = {}
        self.given: list[GivenAnswers] = []
        self.stated: dict[str, object] = {}

    def load(
        self,
        settings: "Settings",
        *,
        generators: Sequence[str],
        answers: Sequence[Path],
        encoder: str,
        bertscore: str | None,
        nli: str | None,
        without: Sequence[str],
    ) -> None:
        """Find all models and files before anything is computed.

        Raises:
            EvaluationError: a file of answers is none, or two models have one name.
            ModelError: a model is not there.
        """
        from qa.assembly import generator_of
        from qa.evaluation.cases import OF_MEDQUAD
        from qa.evaluation.given import read_answers
        from qa.evaluation.scoring import Judges, planted_threshold
        from qa.generation.extractive import EXTRACTIVE
        from qa.index.models import SentenceModel
        from qa.metrics.contradiction import Entailment
        from qa.metrics.similarity import BertScore
        from qa.selection import WEIGHTS

        self.given = [read_answers(path, self.asked) for path in answers]
        self.generators = {EXTRACTIVE: generator_of(EXTRACTIVE, settings)}
        for name in generators:
            folder_name = Path(name).name
            if folder_name in self.generators:
                raise EvaluationError(
                    f"two generators are called {folder_name!r}; rename a folder"
                )
            self.generators[folder_name] = generator_of(name, settings)
        model = None if encoder == "none" else SentenceModel.find(encoder)
        self.judges = Judges(
            self.folder,
            model,
            BertScore(bertscore) if bertscore else None,
            entailment := Entailment(nli) if nli else None,
            planted_threshold(self.asked, entailment) if entailment else None,
        )
        self.without = tuple(without) or OF_MEDQUAD
        self.weights = WEIGHTS
        self.stated = {
            "index": self.index.manifest.checksum,
            "questions": _checksum(self.asked),
            "mode": self.mode,
            "generators": [*self.generators],
            "answers": {each.name: each.checksum for each in self.given},
            "encoder": model.checksum if model else None,
            "bertscore": bertscore,
            "nli": nli,
            "without": list(self.without),
            "weights": self.weights._asdict(),
            "seed": self.seed,
        }

    def answers(self, settings: "Settings", graph: str | None, as_json: bool) -> None:
        """Measure, write the report and show it."""
        import kg
        from kg.linking import Linker
        from kg.stores.disk import disk_errors
        from kg.stores.store import Rows
        from qa.evaluation.cases import Finder
        from qa.evaluation.figures import draw
        from qa.evaluation.page import page
        from qa.evaluation.run import find_cases, measure, state
        from qa.evaluation.summary import json_of, summarise
        from qa.evaluation.systems import not_run
        from qa.generation.extractive import EXTRACTIVE

        with kg.connect(graph, settings) as store:
            stamp = store.stamp()
            state(self.folder, {**self.stated, "graph": stamp.checksum if stamp else None})
            linker = Linker.of_store(store, settings.linking, progress=Bars())
            finder = Finder(
                store,
                linker,
                self.index,
                self.generators,
                [name for name in self.generators if name != EXTRACTIVE],
                self.without,
                self.mode,
            )
            cases = find_cases(self.asked, finder, self.folder, Bars())
        measured = measure(
            self.asked,
            cases,
            self.judges,
            self.folder,
            weights=self.weights,
            given=self.given,
            seed=self.seed,
            progress=Bars(),
        )
        summary = summarise(measured, seed=self.seed)
        missing = not_run([*self.generators], [each.name for each in self.given])
        fields = {
            "protocol": "gold-excluded",
            **json_of(summary),
            "not run": dict(missing),
            "contradiction threshold": json_of(self.judges.threshold),
            "stated": self.stated,
        }
        draw(measured, self.folder / "densities.png")
        with disk_errors(self.folder):
            text = json.dumps(fields, indent=1, ensure_ascii=False, allow_nan=False)
            (self.folder / "report.json").write_text(text, "utf-8")
            (self.folder / "report.md").write_text(page(measured, summary, missing), "utf-8")
        if as_json:
            show_json(fields)
            return
        rows_shown = [
            (
                each.name,
                each.answered,
                each.scores["rouge_l"].mean,
                each.scores["rouge_l"].median,
                each.about,
            )
            for each in sorted(summary.systems, key=lambda system: -system.scores["rouge_l"].mean)
        ]
        columns = (
            "system",
            "answers",
            "ROUGE-L, mean",
            "ROUGE-L, median",
            "about the thing asked",
        )
        show(Rows(columns, tuple(rows_shown)))
        click.echo(str(self.folder / "report.md"), err=True)


def _checksum(questions: "Sequence[GoldQuestion]") -> str:
    from hashlib import sha256

    return sha256("\n".join(each.id for each in questions).encode()).hexdigest()
