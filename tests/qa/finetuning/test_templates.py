from pathlib import Path

import yaml

import qa.finetuning
from qa.finetuning.templates import Templates

FILE = Path(qa.finetuning.__file__).with_name("templates.yaml")
WORDINGS = Path(__file__).parents[2] / "experiments" / "retrieval" / "wordings.yaml"


def test_section_is_asked_about_by_its_heading_in_its_language() -> None:
    templates = Templates.of_package()
    [english] = templates.ask("gout", "Symptoms", "en", 1, (0,))
    chinese = templates.ask("痛风", "病因", "zh", 9, (0,))
    assert english == english.replace("{name}", "gout")
    assert "gout" in english
    assert sorted(chinese) == sorted(
        ["痛风是什么原因引起的？", "为什么会得痛风？", "痛风的病因是什么？", "痛风是怎么得的？"]
    )


def test_draw_depends_on_the_seed_alone() -> None:
    templates = Templates.of_package()
    drawn = [templates.ask("gout", "treatment", "en", 2, (seed,)) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_heading_without_templates_gives_no_question() -> None:
    assert Templates.of_package().ask("gout", "用法用量", "zh", 5, (0,)) == ()
    assert Templates.of_package().ask("gout", "symptoms", "fr", 5, (0,)) == ()


def test_name_with_braces_stays_as_it_is() -> None:
    assert "{name} {0}" in Templates.of_package().ask("{name} {0}", "causes", "en", 1, (0,))[0]


def test_no_heading_and_no_question_is_written_twice() -> None:
    read = yaml.safe_load(FILE.read_text("utf-8"))
    for field in ("headings", "en", "zh"):
        texts = [text.casefold() for entry in read.values() for text in entry[field]]
        assert len(texts) == len(set(texts))
        assert field == "headings" or all("{name}" in text for text in texts)


def test_questions_of_the_measurement_match_no_template() -> None:
    learned = {
        text.replace("{name}", "{}").casefold().rstrip("?.")
        for entry in yaml.safe_load(FILE.read_text("utf-8")).values()
        for text in entry["en"]
    }
    asked = {
        text.casefold().rstrip("?.")
        for texts in yaml.safe_load(WORDINGS.read_text("utf-8")).values()
        for text in texts
    }
    assert learned & asked == set()
