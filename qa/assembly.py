"""Puts together what answers are made from, as ``medkg ask`` and ``medkg qa serve`` are told."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cypher.translation import translate
from kg.configuration import Settings
from kg.linking import Linker
from kg.stores.store import Store
from qa.answer import Answerer
from qa.generation.candidates import Generator
from qa.generation.endpoint import Endpoint
from qa.generation.extractive import EXTRACTIVE, Extractive
from qa.generation.seq2seq import Seq2Seq
from qa.index import Index, Mode
from qa.index.manifest import GRAPH_CHANGED, MANIFEST
from qa.selection import Selector

_OPENAI: Final = "openai:"

Tell = Callable[[str], None]
"""Takes a sentence for whoever asks or serves."""


@dataclass(frozen=True)
class AnswerOptions:
    """How answers are made."""

    texts: Path | None = None
    """Folder of the index of texts; None: that of the settings, if there is one."""
    generator: str = EXTRACTIVE
    """``extractive``, a sequence-to-sequence model by name or path, or ``openai:MODEL``."""
    mode: Mode = "bm25"
    """How texts are found."""
    selector: Selector = "weighted"
    """How one of the candidates is chosen."""


def assemble(
    store: Store, linker: Linker, options: AnswerOptions, settings: Settings, tell: Tell
) -> Answerer:
    """What answers from a graph.

    Args:
        store: the graph.
        linker: of its names.
        options: how.
        settings: where the texts are, and the endpoint of a model.
        tell: is told that there are no texts, or that they are of another graph.

    Raises:
        RetrievalError: the index that is asked for is not there or cannot be used.
        ModelError: the generator's model is not there.
        ConfigurationError: there is no endpoint to ask.
    """
    texts = _texts(store, options, settings, tell)
    generator = generator_of(options.generator, settings)
    return Answerer(store, linker, texts, generator, options.mode, options.selector)


def _texts(store: Store, options: AnswerOptions, settings: Settings, tell: Tell) -> Index | None:
    folder = options.texts or settings.texts
    if not (folder / MANIFEST).is_file() and options.texts is None:
        message = (
            "There are no texts to answer from, so answers are the graph's facts alone; 'medkg qa "
            "index' makes an index of texts."
        )
        tell(translate(message))
        return None
    index = Index.open(folder)
    if not index.manifest.is_of(store.stamp()):
        tell(translate(GRAPH_CHANGED))
    return index


def generator_of(name: str, settings: Settings) -> Generator:
    """What an option names: 'extractive', 'openai:MODEL', or a sequence-to-sequence model.

    Raises:
        ModelError: it is not there.
    """
    if name == EXTRACTIVE:
        return Extractive()
    if name.startswith(_OPENAI):
        return Endpoint.of_settings(name.removeprefix(_OPENAI), settings)
    return Seq2Seq(name)
