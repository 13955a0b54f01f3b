"""The answer inside whatever an engine returns, and the same kind of thing again with verified text in its place.

Streams are read to their end first: nothing of them is handed out before all of it is verified.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from typing import Literal

from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.schema import NodeWithScore
from pydantic import BaseModel

from grounding_middleware.errors import AnswerWithheldError, InputError
from grounding_middleware.records import Report
from grounding_middleware_llama_index._objects import json_of, object_of, unfit
from grounding_middleware_llama_index._reports import find_report, with_report

Structured = Literal["edit", "report"]
"""What happens to an answer that is an object: its unsupported fields are cut as the policy says, or it is only
reported and handed out as it is."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that waits for its verdicts: its text, its nodes, and how to hand it out. `report` if it has one.

    `put` gives a new response, whose lists and dictionaries are still the old ones.
    `unfit` says why a text cannot take the answer's place; "" when it can.
    """

    text: str
    nodes: list[NodeWithScore]
    put: Callable[[Report], RESPONSE_TYPE]
    report: Report | None = None
    unfit: Callable[[str], str] = lambda _: ""


def drafted(response: RESPONSE_TYPE, structured: Structured) -> Draft:
    """The answer in a response; raises `InputError` for an asynchronous stream, which only async code can read."""
    if isinstance(response, AsyncStreamingResponse):
        raise InputError("response: got an AsyncStreamingResponse; allowed with the async method only")
    if isinstance(response, StreamingResponse):
        text = response.get_response().response or ""
        return Draft(text, response.source_nodes, lambda report: _restreamed(response, report), find_report(response))
    return _whole(response, structured)


async def adrafted(response: RESPONSE_TYPE, structured: Structured) -> Draft:
    """The answer in a response of any kind."""
    if isinstance(response, AsyncStreamingResponse):
        text = (await response.get_response()).response or ""
        return Draft(text, response.source_nodes, lambda report: _arestreamed(response, report), find_report(response))
    return drafted(response, structured)


def _whole(response: Response | PydanticResponse, structured: Structured) -> Draft:
    if isinstance(response, PydanticResponse):
        return _object(response, structured)
    if not isinstance(response, Response):
        raise InputError(
            f"response: got {type(response).__name__}; allowed are Response, StreamingResponse, "
            "AsyncStreamingResponse and PydanticResponse"
        )
    return Draft(
        response.response or "", response.source_nodes, lambda report: _worded(response, report), find_report(response)
    )


def _object(response: PydanticResponse, structured: Structured) -> Draft:
    answer, nodes, known = response.response, response.source_nodes, find_report(response)
    if structured == "report" or answer is None:
        return Draft(json_of(answer), nodes, lambda report: _reported(response, report), known)
    return Draft(
        json_of(answer),
        nodes,
        lambda report: _edited(response, answer, report),
        known,
        lambda text: unfit(answer, text),
    )


def _worded(response: Response, report: Report) -> Response:
    new = copy.copy(response)
    new.response = report.text
    return with_report(new, report)


def _restreamed(response: StreamingResponse, report: Report) -> StreamingResponse:
    """The same kind of stream, whose one piece is the verified text."""
    new = copy.copy(response)
    new.response_txt, new.response_gen = None, _piece(report.text)
    return with_report(new, report)


def _arestreamed(response: AsyncStreamingResponse, report: Report) -> AsyncStreamingResponse:
    """The same kind of stream; its lock is new, for one that a copy shares would belong to another loop."""
    new = copy.copy(response)
    new.response_txt, new.response_gen = None, _apiece(report.text)
    new._lock = asyncio.Lock()  # made in its __post_init__
    return with_report(new, report)


def _reported(response: PydanticResponse, report: Report) -> PydanticResponse:
    return with_report(dataclasses.replace(response), report)  # copy.copy asks it for attributes without end


def _edited(response: PydanticResponse, answer: BaseModel, report: Report) -> PydanticResponse:
    """The object without its unsupported fields; raises `AnswerWithheldError` when it cannot do without them."""
    if unfit(answer, report.text):
        raise AnswerWithheldError(f"the {type(answer).__name__} is withheld: {report.decision.reason}", report)
    new = _reported(response, report)
    new.response = object_of(answer, report.text)
    return new


def _piece(text: str) -> Generator[str, None, None]:
    yield text


async def _apiece(text: str) -> AsyncGenerator[str, None]:
    yield text
