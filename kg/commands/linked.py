"""Shows what ``medkg link`` found: a table for one text, a line for each line of a file."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from cypher.translation import title, translate
from kg.commands import Bars, harmless, say, show, show_json

if TYPE_CHECKING:
    from kg.linking import Candidate, Mention
    from kg.linking.documents import Broken, Document, Form
    from kg.linking.index import NameIndex
    from kg.linking.umls import ConceptLinks
    from kg.progress import Advance
    from kg.stores.store import Value

Link = Callable[[str], list["Mention"]]
"""Finds the mentions in a text."""

STDIN: Final = "-"
"""What stands for stdin among file names."""

_MAX_ERRORS_SHOWN: Final = 20
"""Broken lines that are named on stderr; each stands in the answer, too."""


def show_mentions(text: str, mentions: "list[Mention]", index: "NameIndex", as_json: bool) -> None:
    """Print the mentions in a text, as a table or as JSON."""
    if as_json:
        _show_json(text, mentions)
        return
    from kg.stores.store import Rows

    columns = ("mention", "entity", "name", "type", "CUIs", "score", "method", "negated", "family")
    names = index.spoken_names(m.entity for m in mentions if m.entity)
    show(Rows(columns, tuple(_mention_row(mention, names) for mention in mentions)))
    if unlinked := sum(not mention.linked for mention in mentions):
        why = (
            "{count} not linked: no name is similar enough, or several entities have the same "
            "name. --json shows the candidates."
        )
        say(translate(why, count=unlinked), err=True)


def show_candidates(mention: "Mention", index: "NameIndex", as_json: bool) -> None:
    """Print the entities that a whole mention may speak of, and which is meant."""
    if as_json:
        _show_json(mention.text, [mention])
        return
    from kg.stores.store import Rows

    columns = ("entity", "name", "type", "CUIs", "score", "matched name", "language")
    names = index.spoken_names(mention.candidates)
    show(Rows(columns, tuple(_candidate_row(each, names) for each in mention.candidates)))
    say(_decision(mention), err=True)


def show_concepts(links: "ConceptLinks", as_json: bool) -> None:
    """Print how many entities have which kind of UMLS concept, and where they disagree."""
    if as_json:
        tables = {"read": links.read_rows(), "types": links.rows(), "curve": links.curve()}
        rows_by_table = {name: list(rows.dicts()) for name, rows in tables.items()}
        summary = {"disagreements": str(links.disagreeing), "changed": links.changed}
        show_json({**rows_by_table, **summary})
        return
    show(links.read_rows())
    show(links.rows())
    equal, similar = links.total("exact"), links.total("tfidf")
    say(
        translate(
            "{entities} entities linked, {equal} by an equal and {similar} by a similar name; "
            "{stated} have the concept that a source states.",
            entities=equal + similar,
            equal=equal,
            similar=similar,
            stated=links.total("stated"),
        ),
        err=True,
    )
    if links.disagreements.total():
        say(
            translate(
                "For {count} of those the linker finds another concept; they are listed in {path}.",
                count=links.disagreements.total(),
                path=links.disagreeing,
            ),
            err=True,
        )
    say(
        translate("The links are now the layer cui of the graph.")
        if links.changed
        else translate("The layer cui of the graph has these links already; nothing was changed."),
        err=True,
    )


def link_lines(link: Link, file: str, form: "Form | None") -> None:
    """Link every line of a file or of stdin, and print a JSON line for each.

    Raises:
        LinkingError: lines could not be used, after all others were linked.
    """
    from kg.errors import LinkingError
    from kg.linking.documents import Broken, broken_line, linked_line, read_documents

    name = "stdin" if file == STDIN else file
    out = sys.stdout.buffer
    total = broken = 0
    with _opened(file) as (lines, advance):
        for document in read_documents(lines, name, form):
            total += 1
            result = document if isinstance(document, Broken) else _linked(link, document)
            if isinstance(result, Broken):
                broken += 1
                _report_broken(name, result, broken)
                answer = broken_line(result)
            else:
                answer = linked_line(*result)
            out.write(f"{answer}\n".encode())
            if file == STDIN:
                out.flush()  # who writes a line may wait for its answer
            advance(document.size)
    out.flush()
    if broken:
        raise LinkingError(
            translate(
                "{file}: {broken} of {total} lines could not be used; in the answer each of them "
                "is {form}",
                file=name,
                broken=broken,
                total=total,
                form='{"line": …, "error": …}',
            )
        )


def _linked(link: Link, document: "Document") -> "tuple[Document, list[Mention]] | Broken":
    from kg.errors import MedKGError
    from kg.linking.documents import Broken

    try:
        return document, link(document.text)
    except MedKGError as e:
        return Broken(document.line, document.size, str(e))


def _report_broken(name: str, broken: "Broken", count: int) -> None:
    if count <= _MAX_ERRORS_SHOWN:
        line, reason = broken.line, harmless(broken.reason)
        message = translate("{file}, line {line}: {reason}", file=name, line=line, reason=reason)
        say(message, err=True)
    elif count == _MAX_ERRORS_SHOWN + 1:
        further = "{file}: further errors are only in the output, in the field error"
        say(translate(further, file=name), err=True)


@contextmanager
def _opened(file: str) -> "Iterator[tuple[IO[bytes], Advance]]":
    """The lines, and what to call with the bytes that are done.

    A bar is drawn for a file, where the answer goes elsewhere than the bar.
    """
    from kg.progress import Silent

    if file == STDIN:
        with Silent().step("Linking") as advance:
            yield sys.stdin.buffer, advance
        return
    size = Path(file).stat().st_size or None  # a pipe that has a name has no size
    progress = Bars() if sys.stderr.isatty() and not sys.stdout.isatty() else Silent()
    with (
        Path(file).open("rb") as lines,
        progress.step(translate("Linking, bytes"), size) as advance,
    ):
        yield lines, advance


def _show_json(text: str, mentions: "list[Mention]") -> None:
    from kg.linking.documents import Document, linked_line

    click.echo(linked_line(Document(1, 0, text, {"text": text}), mentions, indent=2))


def _mention_row(mention: "Mention", names: Mapping[str, str]) -> tuple["Value", ...]:
    yes = translate("yes")
    flags = (yes if mention.negated else "", yes if mention.family else "")
    entity = mention.entity
    if entity is None:
        return (_printable(mention.text), None, None, None, None, None, None, *flags)
    cells = (entity.id, names[entity.id], title("types", entity.type), list(entity.cuis))
    method = translate(mention.method or "")
    return (_printable(mention.text), *cells, round(entity.score, 3), method, *flags)


def _candidate_row(candidate: "Candidate", names: Mapping[str, str]) -> tuple["Value", ...]:
    type_ = title("types", candidate.type)
    cells = (candidate.id, names[candidate.id], type_, list(candidate.cuis))
    language = translate(candidate.language)
    return (*cells, round(candidate.score, 3), candidate.matched, language)


def _printable(text: str) -> str:
    """Text that can be printed: halves of characters become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _decision(mention: "Mention") -> str:
    if mention.entity is not None:
        method = translate(mention.method or "")
        return translate("Linked with {id} ({method}).", id=mention.entity.id, method=method)
    if not mention.candidates:
        return translate("Not linked: no name is similar.")
    if mention.candidates[0].score < 1:
        return translate("Not linked: the most similar name is not similar enough to be sure.")
    return translate("Not linked: several entities have this name.")
