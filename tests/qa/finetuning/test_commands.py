import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sentence_transformers import SentenceTransformer

from kg.errors import ModelError, RetrievalError
from qa.commands.finetune import finetune_command, pairs_command, sts_command
from qa.commands.index import index_command
from qa.finetuning.artifact import CARD, Card, check_replaceable
from qa.finetuning.pairs import Pair, write_pairs
from qa.finetuning.training import weights_checksum


@pytest.fixture
def file(pairs: list[Pair], tmp_path: Path) -> Path:
    write_pairs(tmp_path / "pairs.parquet", pairs, {"by": "hand"})
    return tmp_path / "pairs.parquet"


def test_finetune_writes_an_encoder_with_its_card(
    encoder_folder: Path, file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "encoder"
    done = CliRunner().invoke(
        finetune_command,
        [
            *(str(file), "--out", str(out), "--base", str(encoder_folder), "--device", "cpu"),
            *("--epochs", "2", "--batch", "4", "--test", "0.5", "--seed", "0", "--json"),
        ],
        catch_exceptions=False,
    )
    card = Card.model_validate_json((out / CARD).read_text("utf-8"))
    assert json.loads(done.stdout) == card.model_dump(mode="json")
    assert (card.trained_on, card.tested_on) == (4, 4)
    assert list(card.figures) == ["BM25", "before", "after"]
    assert [epoch.epoch for epoch in card.history] == [1, 2]
    assert card.pairs_made_by["by"] == "hand"
    base = SentenceTransformer(str(encoder_folder), local_files_only=True, device="cpu")
    tuned = SentenceTransformer(str(out), local_files_only=True, device="cpu")
    assert card.base_checksum == weights_checksum(base) != weights_checksum(tuned)
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert names == {CARD, *card.files}
    assert {"README.md", "model.safetensors"} <= names
    assert not [path for path in out.rglob("*") if path.suffix in (".bin", ".pt", ".pkl")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encoder", "pairs.parquet"]


def test_finetune_shows_a_table(encoder_folder: Path, file: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        finetune_command,
        [
            *(str(file), "--out", str(tmp_path / "e"), "--base", str(encoder_folder)),
            *("--epochs", "1", "--test", "0.5", "--seed", "0", "--device", "cpu"),
        ],
        catch_exceptions=False,
    )
    assert [line.split()[0] for line in done.stdout.split("\n") if line.strip(" ─")] == [
        "system",
        "BM25",
        "before",
        "after",
    ]


def test_figures_of_several_origins_stand_apart(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    mixed = [
        pair.model_copy(update={"origin": "template" if at % 2 else "t5"})
        for at, pair in enumerate(pairs)
    ]
    write_pairs(tmp_path / "mixed.parquet", mixed, {})
    done = CliRunner().invoke(
        finetune_command,
        [
            *(str(tmp_path / "mixed.parquet"), "--out", str(tmp_path / "e"), "--epochs", "1"),
            *("--base", str(encoder_folder), "--test", "0.5", "--device", "cpu", "--json"),
        ],
        catch_exceptions=False,
    )
    figures = json.loads(done.stdout)["figures"]
    systems = [name for name in figures if name.startswith("after")]
    assert [(name, figures[name]["questions"]) for name in systems] == [
        ("after", 4),
        ("after, t5", 2),
        ("after, template", 2),
    ]


def test_folder_with_other_files_is_not_written_into(file: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    done = CliRunner().invoke(finetune_command, [str(file), "--out", str(tmp_path / "thesis")])
    assert isinstance(done.exception, RetrievalError)
    assert "thesis: holds something that is no encoder" in str(done.exception)


def test_encoder_that_a_killed_process_had_moved_aside_is_put_back(tmp_path: Path) -> None:
    folder, aside = tmp_path / "encoder", tmp_path / ".encoder.old"
    aside.mkdir()
    (aside / CARD).write_text("{}")
    check_replaceable(folder)
    assert (folder / CARD).read_text() == "{}"
    assert not aside.exists()


@pytest.mark.parametrize("command", ["finetune", "sts"])
def test_device_that_is_not_there_is_told(
    file: Path, encoder_folder: Path, tmp_path: Path, command: str
) -> None:
    arguments = {
        "finetune": [str(file), "--out", str(tmp_path / "e"), "--base", str(encoder_folder)],
        "sts": [str(tmp_path / "sts.tsv"), "--model", str(encoder_folder)],
    }
    lines = ["sentence1\tsentence2\tlabel", "a\tb\t1", "b\tc\t2", "c\td\t3"]
    (tmp_path / "sts.tsv").write_text("\n".join(lines))
    chosen = {"finetune": finetune_command, "sts": sts_command}[command]
    done = CliRunner().invoke(chosen, [*arguments[command], "--device", "tpu9"])
    assert isinstance(done.exception, ModelError)
    assert "PyTorch has no device 'tpu9'" in str(done.exception)


def test_missing_base_is_one_sentence(file: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        finetune_command, [str(file), "--out", str(tmp_path / "e"), "--base", "nobody/nothing"]
    )
    assert isinstance(done.exception, ModelError)
    assert "'nobody/nothing', the model to compare meanings, is not on" in str(done.exception)


def test_sts_compares_encoders_in_one_table(encoder_folder: Path, tmp_path: Path) -> None:
    rows = ["sentence1\tsentence2\tlabel", "gout\tgout\t5", "bones\tgums\t1", "lack\tairways\t0"]
    (tmp_path / "sts.tsv").write_text("\n".join(rows), "utf-8")
    models = ["--model", str(encoder_folder)] * 2
    done = CliRunner().invoke(
        sts_command, [str(tmp_path / "sts.tsv"), *models, "--json"], catch_exceptions=False
    )
    first, second = json.loads(done.stdout)
    assert first == second
    assert (first["model"], first["pairs"]) == (str(encoder_folder), 3)
    assert -1 <= first["spearman"] <= 1


def test_pairs_are_made_of_the_index(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "gout.md").write_text(
        "# Gout\n\n## Causes\n\nCrystals of uric acid lie in the joints and inflame them.\n",
        "utf-8",
    )
    folder = ["--folder", str(tmp_path / "index")]
    CliRunner().invoke(
        index_command,
        ["--pages", str(tmp_path / "pages"), "--no-graph", *folder],
        catch_exceptions=False,
    )
    done = CliRunner().invoke(
        pairs_command, [str(tmp_path / "p.parquet"), *folder, "--json"], catch_exceptions=False
    )
    told = json.loads(done.stdout)
    assert (told["pairs"], told["passages"], told["diseases"]) == (5, 1, 1)


def test_pairs_without_an_index_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        pairs_command, [str(tmp_path / "p.parquet"), "--folder", str(tmp_path / "none")]
    )
    assert isinstance(done.exception, RetrievalError)
    assert "there is no index of texts; make one with 'medkg qa index'" in str(done.exception)


def test_name_of_the_pairs_must_say_parquet(tmp_path: Path) -> None:
    done = CliRunner().invoke(pairs_command, [str(tmp_path / "p.csv")])
    assert (done.exit_code, "ends in .parquet" in done.output) == (2, True)
