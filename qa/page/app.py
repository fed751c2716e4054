"""The page server: a page to ask on, and ``POST /ask`` for programs.

It serves whoever reaches it, and only reads. A page of another site cannot ask through a visitor's
browser: the ``Host`` of a request must be an address or a name of this machine (no DNS rebinding),
``POST /ask`` takes JSON alone, and no answer may be read across origins.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar

import jinja2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from cypher.translation import (
    ENGLISH,
    known_language,
    language,
    language_of,
    languages,
    speaking,
    spoken,
    translate,
)
from kg.errors import MedKGError, QuestionError
from qa.answer import Answer
from qa.answer_json import answer_json, greeting
from qa.page import thing, view
from qa.page.current import CurrentAnswerer
from qa.page.requests import AskRequest, Guard, read_ask_request
from qa.question import Question
from qa.questions import LONGEST, read

MOST_WAITING: Final = 300
"""Questions that are answered or wait for it; who comes then is told to come again."""
WORKERS: Final = 8
"""Questions that are answered side by side."""
_LONGEST_ID: Final = 300

_FOLDER: Final = Path(__file__).parent
_API: Final = "/ask"

Result = TypeVar("Result")


class _Workers:
    """Answers in threads of its own, so many side by side."""

    def __init__(self, current: CurrentAnswerer) -> None:
        self.current = current
        self._waiting = 0
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="answer")

    async def __call__(self, work: Callable[[], Result]) -> Result:
        """What a function gives that may take its time.

        Raises:
            HTTPException: too many wait.
        """
        if self._waiting >= MOST_WAITING:
            busy = translate("too many questions at once; ask again in a moment")
            raise HTTPException(503, busy, {"Retry-After": "2"})
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, copy_context().run, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self.current.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


def make_app(current: CurrentAnswerer, names: frozenset[str] = frozenset()) -> ASGIApp:
    """The server's application.

    Args:
        current: gives the answerer; closed when the server ends.
        names: by which a ``Host`` header may call this machine, beside ``localhost`` and addresses.
    """
    workers = _Workers(current)
    pages = _Pages(workers)

    @asynccontextmanager
    async def until_the_end(app: Starlette) -> AsyncIterator[None]:
        del app
        yield
        workers.close()

    app = Starlette(
        routes=[
            Route("/", pages.answer),
            Route("/thing", pages.thing),
            Route(_API, pages.ask, methods=["POST"]),
            Mount("/static", StaticFiles(directory=_FOLDER / "static")),
        ],
        exception_handlers={
            HTTPException: pages.refuse,
            MedKGError: pages.fail,
            Exception: pages.fail,
        },
        lifespan=until_the_end,
    )
    return Guard(app, names | {"localhost"})  # around all, its page of errors too


class _Pages:
    """What is behind the addresses."""

    def __init__(self, workers: _Workers) -> None:
        self._workers = workers
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
            autoescape=True,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        self._templates.globals |= {
            "_": translate,
            "name_of": thing.name_of,
            "type_of": thing.type_of,
            "thing_link": thing.thing_link,
        }

    async def answer(self, request: Request) -> Response:
        """The page: a box for a question, and the answer if there is one."""
        question = request.query_params.get("question", "").strip()
        previous = request.query_params.get("previous", "").strip()
        with speaking(_language(request, question)):
            if not question:
                return self._page(
                    "answer", question=question, previous=previous, examples=thing.examples()
                )
            return await self._workers(lambda: self._answered(question, previous))

    def _answered(self, question: str, previous: str) -> Response:
        with self._workers.current.answerer() as answerer:
            previous_question: Question | None = None
            try:
                previous_question = read(previous, answerer.linker) if previous else None
                answer = answerer.answer(question, previous_question)
            except QuestionError as e:
                texts = {"question": question[:LONGEST], "previous": previous[:LONGEST]}
                return self._page("answer", 422, **texts, problem=str(e))
            return self._page(
                "answer",
                question=question,
                previous=_to_follow(answer, previous),
                follows=previous if _follows(answer.question) else "",
                answer=answer,
                parts=view.parts_of(answer, answerer),
                greeting=greeting(),
            )

    async def thing(self, request: Request) -> Response:
        """What the graph says of a thing."""
        id_ = request.query_params.get("id", "")
        with speaking(_language(request)):
            return await self._workers(lambda: self._thing(id_))

    def _thing(self, id_: str) -> Response:
        with self._workers.current.answerer() as answerer:
            thing_view = thing.thing_of(answerer.store, id_) if len(id_) <= _LONGEST_ID else None
        if thing_view is None:
            raise HTTPException(404, translate("the graph has nothing with this id"))
        return self._page("thing", question="", previous="", thing=thing_view)

    async def ask(self, request: Request) -> Response:
        """An answer as JSON."""
        ask_request = await read_ask_request(request)
        with speaking(_code(ask_request.lang) or language_of(ask_request.question)):
            answer = await self._workers(lambda: self._answer_json(ask_request))
        return _json(answer)

    def _answer_json(self, ask_request: AskRequest) -> object:
        with self._workers.current.answerer() as answerer:
            previous_question = (
                read(ask_request.previous, answerer.linker) if ask_request.previous else None
            )
            return answer_json(
                answerer.answer(ask_request.question, previous_question), answerer.index
            )

    async def refuse(self, request: Request, error: Exception) -> Response:
        """A request that cannot be served, in a sentence."""
        if not isinstance(error, HTTPException):
            return await self.fail(request, error)
        message = error.detail
        if message == HTTPStatus(error.status_code).phrase:  # Starlette's own
            with speaking(_language(request)):
                message = _http_message(request, error)
        return self._error(request, error.status_code, "RequestError", message, error.headers)

    async def fail(self, request: Request, error: Exception) -> Response:
        """An answer that failed, in a sentence."""
        if isinstance(error, MedKGError):
            status = 422 if isinstance(error, QuestionError) else 503
            return self._error(request, status, type(error).__name__, str(error))
        with speaking(_language(request)):
            message = translate("a mistake in medkg; the window where the server runs shows where")
        return self._error(request, 500, type(error).__name__, message)

    def _error(
        self,
        request: Request,
        status: int,
        error_type: str,
        message: str,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        if request.url.path == _API:
            response = _json({"error": {"type": error_type, "message": message}}, status)
        else:
            with speaking(_language(request)):
                question = request.query_params.get("question", "")[:LONGEST]
                response = self._page(
                    "answer", status, question=question, previous="", problem=message
                )
        response.headers.update(headers or {})
        return response

    def _page(self, name: str, status: int = 200, /, **context: object) -> HTMLResponse:
        code = spoken().code
        other_languages = {other: language(other).name for other in languages() if other != code}
        page = self._templates.get_template(f"{name}.html.jinja")
        return HTMLResponse(
            page.render(spoken=code, other_languages=other_languages, **context), status
        )


def _follows(question: Question) -> bool:
    """Whether it is about what the question before named."""
    return any(subject.start < 0 for subject in question.subjects)


def _to_follow(answer: Answer, previous: str) -> str:
    """The question whose things the next one may leave unnamed."""
    question = answer.question
    return question.text if any(subject.start >= 0 for subject in question.subjects) else previous


def _language(request: Request, question: str = "") -> str:
    """The code of what is chosen, else that of the question, else what the browser prefers."""
    if code := _code(request.query_params.get("lang")):
        return code
    if question:
        return language_of(question)
    preferred = (
        tag.partition(";")[0] for tag in request.headers.get("accept-language", "").split(",")
    )
    return next(filter(None, map(known_language, preferred)), ENGLISH)


def _code(lang: str | None) -> str | None:
    return known_language(lang) if lang else None


def _http_message(request: Request, error: HTTPException) -> str:
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "GET")
        return translate(
            "{method} is not for {path}; send {allowed}",
            method=request.method,
            path=request.url.path,
            allowed=allowed,
        )
    return translate("there is no page {path} here; ask on /", path=request.url.path)


def _json(value: object, status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False)
    return Response(
        text.encode("utf-8", "backslashreplace"), status, media_type="application/json"
    )
