"""Which stretches of a text are mentions, said by a spaCy pipeline instead of the table of names."""

from collections.abc import Callable, Collection, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from kg.errors import ConfigurationError, LinkingError
from kg.linking.mention import Mention

if TYPE_CHECKING:
    from spacy.language import Language

    from kg.linking.index import NameIndex
    from kg.linking.linker import Linker

Recogniser = Callable[[str], list[tuple[int, int]]]
"""Spans of a text, in their order, as offsets in code points."""

_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
"""Halves of characters, which spaCy cannot take, to one that stands for the unreadable."""
_PUBLISHED: Final = "scispaCy's are listed at https://allenai.github.io/scispacy"


def recogniser(name: str) -> Recogniser:
    """The entity recogniser of a spaCy pipeline.

    Args:
        name: of an installed package (``en_core_sci_sm``, ``en_ner_bc5cdr_md``), or
            a folder that ``nlp.to_disk`` wrote.

    Raises:
        ConfigurationError: spaCy or the pipeline is missing, the pipeline cannot be
            loaded, or nothing in it recognises entities.

    The recogniser raises LinkingError for a text longer than the pipeline takes.
    """
    nlp = _load(name)
    _check_recognises(nlp, name)

    def recognise(text: str) -> list[tuple[int, int]]:
        if len(text) > nlp.max_length:
            raise LinkingError(
                f"the text has {len(text):,} characters and {name} takes {nlp.max_length:,}; "
                "cut it into paragraphs"
            )
        entities = nlp(text.translate(_SURROGATES)).ents
        return [(e.start_char, e.end_char) for e in entities if not e.text.isspace()]

    return recognise


class RecognisingLinker:
    """A linker whose mentions in running text something else recognises."""

    def __init__(self, linker: "Linker", recognise: Recogniser) -> None:
        self._linker = linker
        self._recognise = recognise

    def link(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> list[Mention]:
        """Link ``spans``, or those that are recognised; as ``Linker.link`` does.

        Raises:
            LinkingError: the recogniser does not take so long a text.
        """
        return self._linker.link(text, self._recognise(text) if spans is None else spans)

    @property
    def index(self) -> "NameIndex":
        """Of the names that it links with."""
        return self._linker.index

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """One mention without surroundings; as ``Linker.resolve`` does."""
        return self._linker.resolve(mention, types)


def _load(name: str) -> "Language":
    try:
        import spacy  # noqa: PLC0415 -- an extra; a second that other work need not spend
    except ImportError as e:
        raise ConfigurationError(
            f"the recogniser {name} needs spaCy, which is not installed; "
            "run: pip install 'medkg[link]'"
        ) from e
    if not spacy.util.is_package(name) and not spacy.util.ensure_path(name).exists():
        raise ConfigurationError(
            f"the recogniser {name!r} is neither an installed spaCy pipeline nor a folder with "
            f"one; install it from where its publisher says ({_PUBLISHED}), or give its folder"
        )
    try:
        return spacy.load(name)
    except (OSError, ValueError, ImportError, AttributeError) as e:
        raise ConfigurationError(
            f"the recogniser {name!r} cannot be loaded ({_first_line(e)}); see that it is a "
            f"whole pipeline of spaCy {version('spacy')}, with what it needs installed"
        ) from e


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), repr(error))


def _check_recognises(nlp: "Language", name: str) -> None:
    """A pipeline without such a component would find nothing in any text, and never say why."""
    if any(_sets_entities(nlp, pipe) for pipe in nlp.pipe_names):
        return
    raise ConfigurationError(
        f"the recogniser {name!r} has no component that finds entities (it has "
        f"{', '.join(nlp.pipe_names) or 'none at all'}); choose a pipeline with ner or "
        "entity_ruler, or declare your own component with assigns=['doc.ents']"
    )


def _sets_entities(nlp: "Language", pipe: str) -> bool:
    declared = "doc.ents" in nlp.get_pipe_meta(pipe).assigns
    return declared or bool(getattr(nlp.get_pipe(pipe), "annotate_ents", False))
