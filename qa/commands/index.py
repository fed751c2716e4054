"""``medkg qa index`` and ``search``: the index of texts that questions are answered from."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cypher.translation import translate
from kg.commands import (
    Bars,
    graph_option,
    harmless,
    json_option,
    lang_option,
    pairs_of,
    say,
    show,
    show_json,
    speak,
)

if TYPE_CHECKING:
    from kg.configuration import Settings
    from kg.stores.store import Store
    from qa.corpus import Document, LeftOut
    from qa.index.manifest import GraphCard, Manifest

folder_option = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the index is.  [default: .medkg/texts]",
)
"""Passes ``folder: Path | None``."""

_EXISTING = click.Path(exists=True, path_type=Path)
_SHOWN = 200
"""Characters of a text in a table."""


@click.command("index")
@click.option("--medquad", type=_EXISTING, metavar="FOLDER", help="Also MedQuAD's answers.")
@click.option(
    "--pages",
    type=_EXISTING,
    multiple=True,
    metavar="PATH",
    help="Also the pages in a folder (.html, .md, .txt, .json); may be repeated.",
)
@click.option("--licence", default=None, metavar="TEXT", help="That of the pages.")
@click.option("--encoding", default="utf-8", show_default=True, help="That of the pages.")
@click.option("--no-graph", is_flag=True, help="Leave out the sections of the graph.")
@click.option(
    "--unit",
    type=click.Choice(["sentence", "passage"]),
    default="passage",
    show_default=True,
    help="What texts are cut into.",
)
@click.option(
    "--rewrite/--as-written",
    default=True,
    show_default=True,
    help="Write abbreviations out and replace pronouns in what is compared with a question.",
)
@click.option(
    "--model",
    metavar="NAME|PATH|none",
    help="Of vectors, for search by meaning: minilm (offline), mpnet, multilingual, chinese, any "
    "sentence-transformers model.  [default: that of the index; none in a new one]",
)
@click.option(
    "--update", is_flag=True, help="Keep the corpora of the index that are not read now."
)
@click.option(
    "--remove",
    multiple=True,
    metavar="NAME",
    help="Only take out a corpus, or a document by its id; may be repeated.",
)
@click.option("--show", "only_show", is_flag=True, help="Only show what the index has.")
@folder_option
@graph_option
@json_option
@lang_option
def index_command(
    *,
    medquad: Path | None,
    pages: tuple[Path, ...],
    licence: str | None,
    encoding: str,
    no_graph: bool,
    unit: Any,  # noqa: ANN401 - of Unit, which click cannot say
    rewrite: bool,
    model: str | None,
    update: bool,
    remove: tuple[str, ...],
    only_show: bool,
    folder: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Make the index of texts that questions are answered from, and show what it has.

    It has the sections of the graph and the corpora that are given. What the index had already is
    not computed again; an encoding that was stopped goes on.

    For example: medkg qa index --medquad MedQuAD-master --model minilm
    """
    reads_corpora = bool(medquad or pages or update)
    if only_show + bool(remove) + (reads_corpora or model is not None) > 1:
        raise click.UsageError(
            translate("--show, --remove, and reading corpora are asked for one by one")
        )
    if no_graph and not (reads_corpora or only_show or remove):
        message = (
            "with --no-graph alone no text is read and all are taken out; add --medquad, --pages or "
            "--update"
        )
        raise click.UsageError(translate(message))
    if licence and not pages:
        raise click.UsageError(translate("--licence is of the pages that --pages gives"))
    import kg
    from qa.index.building import Change, change_index
    from qa.index.manifest import read_manifest
    from qa.index.records import Passages

    speak()
    settings = kg.Settings.read()
    folder = folder or settings.texts
    if only_show:
        _show(read_manifest(folder), settings, graph, as_json)
        return
    if remove:
        corpus_names = {corpus.name for corpus in read_manifest(folder).corpora}
        change = Change(
            remove=[each for each in remove if each not in corpus_names],
            remove_corpora=[each for each in remove if each in corpus_names],
        )
        _show(change_index(folder, change, Bars()), settings, graph, as_json)
        return
    with ExitStack() as stack:
        store = None if no_graph else stack.enter_context(kg.connect(graph, settings))
        corpora = _Corpora(
            store, settings, medquad=medquad, pages=pages, encoding=encoding, licence=licence
        )
        change = Change(
            documents=corpora.documents(),
            collate=Passages(unit=unit, rewrite=rewrite),
            corpora=corpora.places(),
            anew=not update,
            model=_model(model),
            names="same" if store is None else corpora.names(),
            graph="same" if store is None else corpora.graph(),
        )
        manifest = change_index(folder, change, Bars())
    _show(manifest, settings, graph, as_json)


@click.command("search")
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--mode",
    type=click.Choice(["bm25", "vector", "hybrid"]),
    default="bm25",
    show_default=True,
    help="By the words that are shared, by vectors, or by both.",
)
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="Hits.")
@click.option(
    "--where",
    multiple=True,
    metavar="KEY=VALUE",
    help="Metadata that a hit has, such as source=medquad or language=zh; may be repeated.",
)
@click.option(
    "--model",
    metavar="NAME|PATH",
    help="The model of the vectors.  [default: as the index names it]",
)
@folder_option
@graph_option
@json_option
@lang_option
def search_command(
    *,
    question: tuple[str, ...],
    mode: Any,  # noqa: ANN401 - of Mode, which click cannot say
    limit: int,
    where: tuple[str, ...],
    model: str | None,
    folder: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Find the texts that fit QUESTION best.

    For example: medkg qa search "what causes gout" --where language=en
    """
    import kg
    from kg.stores.store import Rows
    from qa.clauses import in_short
    from qa.index.index import Index

    filters = pairs_of(where)
    text = " ".join(question)
    speak(text)
    settings = kg.Settings.read()
    index = Index.open(folder or settings.texts, model)
    _tell_of_change(index.manifest, settings, graph)
    hits = index.search(text, limit, mode=mode, where=filters)
    if as_json:
        show_json(
            [
                {
                    "rank": hit.rank,
                    "score": hit.score,
                    "id": hit.record.id,
                    "content": hit.record.content,
                    "metadata": dict(hit.record.metadata),
                }
                for hit in hits
            ]
        )
        return
    rows = tuple(
        (
            hit.rank,
            hit.score,
            hit.record.metadata.get("source", ""),
            in_short(hit.record.content, _SHOWN),
        )
        for hit in hits
    )
    show(Rows(("rank", "score", "source", "text"), rows))
    if not rows:
        none = "no text has a word of the question; try other words, perhaps in another language"
        say(translate(none), err=True)


class _Corpora:
    """The graph and the folders that a command line names."""

    def __init__(
        self,
        store: "Store | None",
        settings: "Settings",
        *,
        medquad: Path | None,
        pages: Sequence[Path],
        encoding: str,
        licence: str | None,
    ) -> None:
        """Take them.

        Raises:
            RetrievalError: two corpora have one name.
        """
        from kg.errors import RetrievalError
        from qa.corpus import GRAPH, MEDQUAD_CORPUS

        self.store, self.settings, self.medquad = store, settings, medquad
        self.encoding, self.licence = encoding, licence
        self.pages: dict[str, Path] = {}
        for path in pages:
            name = path.resolve().stem if path.is_file() else path.resolve().name
            if name in {GRAPH, MEDQUAD_CORPUS, *self.pages}:
                raise RetrievalError(
                    translate(
                        "{path}: another corpus is called {name}, too; rename the folder",
                        path=path,
                        name=name,
                    )
                )
            self.pages[name] = path

    def places(self) -> dict[str, str]:
        """Where each corpus is read from, by its name."""
        from qa.corpus import GRAPH, MEDQUAD_CORPUS

        places = {name: str(path) for name, path in self.pages.items()}
        if self.medquad is not None:
            places[MEDQUAD_CORPUS] = str(self.medquad)
        if self.store is not None:
            places[GRAPH] = self.store.uri
        return places

    def documents(self) -> "Iterator[Document | LeftOut]":
        """All texts, the graph's last."""
        from qa.corpus import graph_documents, medquad_documents, page_documents

        if self.medquad is not None:
            yield from medquad_documents(self.medquad, Bars())
        for name, path in self.pages.items():
            yield from page_documents(path, name, self.encoding, self.licence)
        if self.store is not None:
            yield from graph_documents(self.store, self._licences(self.store))

    def _licences(self, store: "Store") -> dict[str, str]:
        """Of the graph's sources, if the home has the report of its build."""
        from ingest.report import read_report
        from kg.errors import BuildError

        stamp = store.stamp()
        try:
            report = read_report(self.settings.home)
        except BuildError:
            return {}
        if stamp is None or report.checksum != stamp.checksum:
            return {}
        return {source.name: source.licence for source in report.sources}

    def names(self) -> list[str]:
        """The Chinese names of the graph."""
        return list(_chinese_names(self.store.query("entity.names").dicts())) if self.store else []

    def graph(self) -> "GraphCard | None":
        """Which graph it is."""
        from qa.index.manifest import GraphCard

        stamp = self.store.stamp() if self.store else None
        if self.store is None or stamp is None:
            return None
        return GraphCard(uri=self.store.uri, checksum=stamp.checksum, layers=stamp.layers)


def _chinese_names(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        if row["name_zh"]:
            yield row["name_zh"]
        yield from row["synonyms_zh"] or ()


def _model(name: str | None) -> Any:  # noqa: ANN401 - as Change has it
    """What a command line says about the model."""
    from qa.index.models import SentenceModel

    if name is None:
        return "same"
    return None if name == "none" else SentenceModel.find(name)


def _graph_changed(manifest: "Manifest", settings: "Settings", graph: str | None) -> bool | None:
    """Whether the graph at hand is another one than the index was made from; None: cannot be said."""
    import kg
    from kg.errors import StoreError

    if manifest.graph is None:
        return None
    try:
        with kg.connect(graph, settings) as store:
            stamp = store.stamp()
    except StoreError:
        return None
    return not manifest.is_of(stamp)


def _tell_of_change(manifest: "Manifest", settings: "Settings", graph: str | None) -> bool | None:
    changed = _graph_changed(manifest, settings, graph)
    if changed:
        from qa.index.manifest import GRAPH_CHANGED

        say(translate(GRAPH_CHANGED), err=True)
    return changed


def _show(manifest: "Manifest", settings: "Settings", graph: str | None, as_json: bool) -> None:
    from kg.stores.store import Rows

    changed = _tell_of_change(manifest, settings, graph)
    if as_json:
        show_json({**manifest.model_dump(mode="json"), "graph_changed": changed})
        return
    rows = tuple(
        (
            corpus.name,
            corpus.documents,
            corpus.records,
            sum(corpus.left_out.values()),
            "; ".join(dict.fromkeys(corpus.licences.values())),
            corpus.place,
        )
        for corpus in manifest.corpora
    )
    show(Rows(("corpus", "texts", "passages", "left out", "licence", "read from"), rows))
    for corpus in manifest.corpora:
        for reason, count in corpus.left_out.items():
            wording = "{corpus}: {count} left out: {reason}"
            message = translate(wording, corpus=corpus.name, count=f"{count:,}", reason=reason)
            say(harmless(message), err=True)
    if manifest.model is None:
        message_without_vectors = (
            "Without vectors: search by words (bm25). --model minilm adds them."
        )
        say(translate(message_without_vectors), err=True)
    else:
        wording_of_vectors = "Vectors of {model}, dimension {dimension}."
        card = manifest.model
        message = translate(wording_of_vectors, model=card.name, dimension=card.dimension)
        say(harmless(message), err=True)
