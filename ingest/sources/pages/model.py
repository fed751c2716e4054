"""A spaCy pipeline that finds noun phrases."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from kg.errors import SourceError
from kg.linking.umls.extra import import_extra
from kg.text.phrases import Phrase, phrases


def phrase_finder(model: str | None) -> Callable[[str], list[Phrase]]:
    """What finds the phrases of a text: the pipeline named, or medkg's rules.

    Args:
        model: an installed package (``en_core_web_sm``, ``en_core_sci_sm``) or a folder that
            ``nlp.to_disk`` wrote.

    Raises:
        ConfigurationError: spaCy is not installed.
        SourceError: the pipeline is missing, cannot be loaded, or has no parser.
    """
    if model is None:
        return phrases
    nlp = _load(model)

    def find(text: str) -> list[Phrase]:
        if len(text) > nlp.max_length:
            return phrases(text)
        return phrases(text, nlp(text))

    return find


def _load(model: str) -> Any:  # noqa: ANN401 -- spaCy is an extra
    spacy = import_extra("spacy")
    if not spacy.util.is_package(model) and not spacy.util.ensure_path(model).exists():
        raise SourceError(
            f"the model {model!r} is neither an installed spaCy pipeline nor a folder with one; "
            "install it from where its publisher says, give its folder, or take 'model' out"
        )
    try:
        nlp = spacy.load(model)
    except (OSError, ValueError, ImportError, AttributeError) as e:
        why = next(filter(None, map(str.strip, str(e).splitlines())), repr(e))
        raise SourceError(
            f"the model {model!r} cannot be loaded ({why}); see that it is a whole pipeline of "
            f"spaCy {version('spacy')}"
        ) from e
    if not any("token.dep" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise SourceError(
            f"the model {model!r} has no parser, without which it finds no noun phrases "
            f"(it has {', '.join(nlp.pipe_names) or 'nothing'}); choose one that has"
        )
    return nlp
