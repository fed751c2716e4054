"""The linker as a component of spaCy pipelines: ``nlp.add_pipe("medkg_linker")``.

spaCy finds it through the entry points ``spacy_factories`` once medkg is installed; and as it
imports them all for any pipeline, this module imports nothing heavy at the top.
Linked mentions become ``doc.ents`` with the entity's type as label and its id as
``kb_id_``; ``span._.medkg`` is the ``Mention`` of an entity, with its own offsets, and
``doc._.medkg`` are all mentions, those too that could not be linked or that lie within one
token with another. In ``doc.user_data`` they are plain values, so that documents can be
serialised and come back from other processes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from kg.errors import ConfigurationError
from kg.linking.documents import mention_from_record, mention_record
from kg.linking.mention import Mention

if TYPE_CHECKING:
    from kg.linking import Linker, LinkOptions

NAME: Final = "medkg_linker"
"""Of the factory."""
EXTENSION: Final = "medkg"
"""The attribute of documents and spans."""


@dataclass(frozen=True)
class Source:
    """What the linker is made from: one of these, or the graph of the settings."""

    names: str | None = None
    """File with a table of names."""
    index: str | None = None
    """Folder that ``Linker.save`` wrote."""
    graph: str | None = None
    """As ``kg.connect`` takes it."""

    def __post_init__(self) -> None:
        sources = [name for name, value in vars(self).items() if value is not None]
        if len(sources) > 1:
            raise ConfigurationError(
                f"{NAME}: {' and '.join(sources)} exclude each other; name one thing to link with"
            )

    def linker(self, options: "LinkOptions") -> "Linker":
        """Read what is named, and link with it.

        Raises:
            MedKGError: it cannot be read.
        """
        from kg.linking import Linker, Names  # noqa: PLC0415

        if self.names is not None:
            return Linker.of_names(Names.read(Path(self.names)), options)
        if self.index is not None:
            return Linker.load(Path(self.index), options)
        return _linker_of_graph(self.graph, options)


def _linker_of_graph(uri: str | None, options: "LinkOptions") -> "Linker":
    import kg  # noqa: PLC0415
    from kg.linking import Linker  # noqa: PLC0415

    settings = kg.Settings.read()
    with kg.connect(uri, settings) as store:
        return Linker.of_store(store, settings.home / "linking", options)


class LinkerComponent:
    """Links documents. Reads what it links with at the first, or in ``from_disk``.

    So a pipeline that was saved on another machine can be loaded where the file that it
    was once made from is not; threads may share it, and processes are given where to read.
    """

    def __init__(self, source: Source, options: "LinkOptions", *, recognise: bool) -> None:
        self._source = source
        self._options = options
        self._recognise = recognise
        self._linker: Linker | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[object, ...]:
        return _component, (self._source, self._options, self._recognise)

    @property
    def linker(self) -> "Linker":
        """What links.

        Raises:
            MedKGError: what it is made from cannot be read.
        """
        with self._lock:
            if self._linker is None:
                self._linker = self._source.linker(self._options)
            return self._linker

    def __call__(self, doc: Doc) -> Doc:
        """Link a document, and set its entities."""
        if self._recognise:
            mentions = self.linker.link(doc.text)
            _set_entities(doc, mentions)
        else:
            spans = [(entity.start_char, entity.end_char) for entity in doc.ents]
            mentions = self.linker.link(doc.text, spans)
            _link_entities(doc, mentions)
        setattr(doc._, EXTENSION, mentions)
        return doc

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the index to the folder ``path``; the other options are in the pipeline's config.

        Raises:
            OSError: it cannot be written.
            MedKGError: what the linker is made from cannot be read.
        """
        del exclude  # there is only the index
        self.linker.save(Path(path))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "LinkerComponent":
        """Link with the index in the folder ``path`` from now on.

        Raises:
            LinkingError: there is no whole index.
        """
        del exclude
        source = Source(index=str(path))
        with self._lock:
            self._source, self._linker = source, source.linker(self._options)
        return self


def _component(source: Source, options: "LinkOptions", recognise: bool) -> LinkerComponent:
    return LinkerComponent(source, options, recognise=recognise)


@Language.factory(
    NAME,
    assigns=["doc.ents", "token.ent_type", "token.ent_iob", "token.ent_kb_id", "doc._.medkg"],
    default_config={
        "names": None,
        "index": None,
        "graph": None,
        "types": None,
        "threshold": None,
        "scorer": None,
        "limit": 5,
        "fuzzy": True,
        "recognise": True,
    },
)
def make_linker(
    nlp: Language,
    name: str,
    *,
    names: str | None,
    index: str | None,
    graph: str | None,
    types: list[str] | None,
    threshold: float | None,
    scorer: str | None,
    limit: int,
    fuzzy: bool,
    recognise: bool,
) -> LinkerComponent:
    """The component, by the options of ``Source`` and ``LinkOptions``.

    Args:
        nlp: the pipeline.
        name: of the component in it.
        names: file with a table of names to link with, or
        index: folder with an index that ``Linker.save`` wrote, or
        graph: a graph; without any of the three that of the settings.
        types: entity types that a mention may be linked with.
        threshold: score below which it abstains.
        scorer: what measures how like two names are.
        limit: candidates of a mention at most.
        fuzzy: in running text, find misspelt names too.
        recognise: find mentions by the dictionary of names; False: link the entities
            that an earlier component has set.

    Raises:
        ConfigurationError: more than one thing to link with is named, or there is no
            such scorer.
    """
    from kg.linking import LinkOptions  # noqa: PLC0415
    from kg.linking.scorers import scorer as find_scorer  # noqa: PLC0415

    del nlp, name
    options = LinkOptions(
        types=None if types is None else tuple(types),
        scorer=scorer or LinkOptions.scorer,
        threshold=threshold,
        limit=limit,
        fuzzy=fuzzy,
    )
    find_scorer(options.scorer)
    return LinkerComponent(Source(names, index, graph), options, recognise=recognise)


def _set_entities(doc: Doc, mentions: Sequence[Mention]) -> None:
    """Linked mentions as entities; those of an earlier component stay where none of ours is."""
    spans = {
        (span.start, span.end): (span, mention)
        for mention in reversed(mentions)  # the first of those that lie in the same tokens
        if mention.linked and (span := _span(doc, mention)) is not None
    }
    ours = filter_spans([span for span, _ in spans.values()])
    taken = {at for span in ours for at in range(span.start, span.end)}
    earlier = [entity for entity in doc.ents if taken.isdisjoint(range(entity.start, entity.end))]
    doc.ents = (*ours, *earlier)
    for span in ours:
        setattr(span._, EXTENSION, spans[span.start, span.end][1])


def _link_entities(doc: Doc, mentions: Sequence[Mention]) -> None:
    """Give the entities that are there the type and id of what they are linked with."""
    by_span = {(mention.start, mention.end): mention for mention in mentions}
    entities = []
    for entity in doc.ents:
        mention = by_span.get((entity.start_char, entity.end_char))
        entities.append(entity if mention is None else _relabelled(doc, entity, mention))
        if mention is not None:
            setattr(entity._, EXTENSION, mention)
    doc.ents = tuple(entities)


def _span(doc: Doc, mention: Mention) -> Span | None:
    """The tokens that the mention lies in, as the entity that is meant; None where none does."""
    entity = mention.candidates[0]
    return doc.char_span(
        mention.start,
        mention.end,
        label=entity.type,
        kb_id=entity.id,
        alignment_mode="expand",
    )


def _relabelled(doc: Doc, span: Span, mention: Mention) -> Span:
    if mention.entity is None:
        return span
    type_, id_ = mention.entity.type, mention.entity.id
    return Span(doc, span.start, span.end, label=type_, kb_id=id_, span_id=span.id)


# --- extensions: mentions in user_data, as plain values ----------------------------------------

_Key = tuple[str, str, int | None, int | None]


def _key(start: int | None = None, end: int | None = None) -> _Key:
    """As spaCy keys what extensions hold, so that it moves with its document."""
    return ("._.", EXTENSION, start, end)


def _records(doc: Doc) -> dict[_Key, Any]:
    return cast("dict[_Key, Any]", doc.user_data)


def _mention_of_span(span: Span) -> Mention | None:
    record = _records(span.doc).get(_key(span.start_char, span.end_char))
    return None if record is None else mention_from_record(record)


def _set_mention_of_span(span: Span, mention: Mention) -> None:
    _records(span.doc)[_key(span.start_char, span.end_char)] = mention_record(mention)


def _mentions_of_doc(doc: Doc) -> list[Mention]:
    return [mention_from_record(record) for record in _records(doc).get(_key(), ())]


def _set_mentions_of_doc(doc: Doc, mentions: Sequence[Mention]) -> None:
    _records(doc)[_key()] = [mention_record(mention) for mention in mentions]


Span.set_extension(EXTENSION, getter=_mention_of_span, setter=_set_mention_of_span, force=True)
Doc.set_extension(EXTENSION, getter=_mentions_of_doc, setter=_set_mentions_of_doc, force=True)
