"""Answers that are objects: what is not supported is cut, the schema still holds, or nothing is handed out."""

from __future__ import annotations

from typing import Literal

import pytest
from llama_index.core.base.response.schema import PydanticResponse
from pydantic import BaseModel, Field, create_model

from grounding_middleware import Action, AnswerWithheldError, Grounder, Policy
from grounding_middleware.policy import Texts
from grounding_middleware_llama_index import GroundingResponsePostprocessor, ground, report_of

FALSE = "Refunds are paid in gold coins."


class Refund(BaseModel):
    """A structured answer."""

    answer: str
    note: str = ""


def _engine(kit, answer, **settings):
    """An engine that answers with this object: `output_cls`, with a completion model that writes JSON."""
    model = kit.model(answer.model_dump_json(by_alias=True), chatty=False)
    return kit.index().as_query_engine(llm=model, output_cls=type(answer), **settings)


def _answered(kit, answer, **settings):
    """The response to an engine that answers with this object."""
    return ground(_engine(kit, answer), kit.grounder, **settings).query(kit.QUESTION)


def _verified(kit, answer):
    """The object that is left of one an engine handed out, with the nodes its model was shown."""
    nodes = [found.node for found in kit.index().as_retriever(similarity_top_k=3).retrieve(kit.QUESTION)]
    response = PydanticResponse(answer, metadata={})
    return GroundingResponsePostprocessor(kit.grounder).postprocess_response(response, kit.QUESTION, nodes).response


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_1_unsupported_fields_of_an_object_are_cut(kit, way):
    """Checklist 1: PydanticResponse keeps its class, the object its type; what no source supports is not in it."""
    engine = _engine(kit, Refund(answer=kit.SUPPORTED, note=FALSE))
    safe = ground(engine, kit.grounder)
    response = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    assert type(response) is PydanticResponse
    assert response.response == Refund(answer=kit.SUPPORTED)
    assert report_of(response).action is Action.REVISED
    assert kit.LEAK not in repr(response)
    assert engine.query(kit.QUESTION).response.note == FALSE, "the engine itself is untouched"


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_1_an_object_is_only_reported_when_asked(kit, way):
    """Checklist 1: `structured="report"` hands the object out as it is, with the report."""
    safe = ground(_engine(kit, Refund(answer=kit.SUPPORTED, note=FALSE)), kit.grounder, structured="report")
    response = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    assert response.response == Refund(answer=kit.SUPPORTED, note=FALSE)
    assert report_of(response).action is Action.REVISED


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_1_an_object_that_cannot_do_without_a_field_is_withheld(kit, way):
    """Checklist 1: an edited object must still be one; else the error carries the report, which says escalated."""
    safe = ground(_engine(kit, Refund(answer=FALSE, note=kit.SUPPORTED)), kit.grounder)
    with pytest.raises(AnswerWithheldError, match="Refund cannot be made of what is left: answer") as caught:
        safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    assert caught.value.report.action is Action.ESCALATE
    assert kit.LEAK not in caught.value.report.text
    assert kit.LEAK not in str(caught.value)


def test_1_an_object_is_withheld_where_a_text_would_be(kit):
    """Checklist 1: an object cannot be replaced by the policy's sentence, so the error takes its place."""
    safe = ground(_engine(kit, Refund(answer=FALSE, note=FALSE)), kit.grounder)
    with pytest.raises(AnswerWithheldError, match="Refund is withheld: no claim is left"):
        safe.query(kit.QUESTION)


class Terms(BaseModel):
    """A default here says something, and nobody verified it."""

    answer: str
    paid_in: Literal["gold coins", "euros"] = "euros"


def test_1_a_default_that_says_something_is_no_substitute(kit):
    """What is cut may be replaced by nothing, but not by another statement."""
    with pytest.raises(AnswerWithheldError, match="its default of paid_in"):
        _answered(kit, Terms(answer=kit.SUPPORTED, paid_in="gold coins"))


class Listed(BaseModel):
    """Objects inside an object, under another name in JSON, with a field that JSON leaves out."""

    items: list[Refund] = Field(alias="refunds", default=[])
    hidden: str = Field(default="", exclude=True)


def test_1_objects_in_objects(kit):
    """Fields of inner objects go one by one; aliases are no obstacle."""
    given = Listed(refunds=[Refund(answer=kit.SUPPORTED, note=FALSE), Refund(answer="Parcels travel by rail.")])
    left = Listed(refunds=[Refund(answer=kit.SUPPORTED), Refund(answer="Parcels travel by rail.")])
    assert _verified(kit, given) == left


def test_1_fields_that_json_leaves_out_are_reset(kit):
    """Nobody could verify them; the object somebody else holds stays as it was."""
    given = Listed(refunds=[Refund(answer=kit.SUPPORTED)], hidden=FALSE)
    assert _verified(kit, given) == Listed(refunds=[Refund(answer=kit.SUPPORTED)])
    assert given.hidden == FALSE


def test_1_an_object_that_stays_whole_is_the_same_object(kit):
    """Nothing is rebuilt where nothing was cut."""
    given = Refund(answer=kit.SUPPORTED)
    assert _verified(kit, given) is given


def test_1_a_notice_does_not_break_an_object(kit):
    """A policy that tells readers what was left out tells nobody here; the report does."""
    grounder = Grounder(kit.judge, policy=Policy(escalate_above=0.9, texts=Texts(notice="{count} left out.")))
    safe = ground(_engine(kit, Refund(answer=kit.SUPPORTED, note=FALSE)), grounder)
    assert safe.query(kit.QUESTION).response == Refund(answer=kit.SUPPORTED)


def test_1_structured_llm_keeps_its_class(kit):
    """Checklist 1: `llm.as_structured_llm(...)` gives a PydanticResponse, too."""
    reply = Refund(answer=kit.SUPPORTED, note=FALSE).model_dump_json()
    llm = kit.model(reply, chatty=False).as_structured_llm(Refund)
    response = ground(kit.index().as_query_engine(llm=llm), kit.grounder).query(kit.QUESTION)
    assert type(response) is PydanticResponse
    assert response.response == Refund(answer=kit.SUPPORTED)
    assert report_of(response).capture.delivered == 2


def test_1_no_object_stays_none(kit):
    """An engine may have found nothing to fill an object with."""
    response = PydanticResponse(None)
    verified = GroundingResponsePostprocessor(kit.grounder).postprocess_response(response, kit.QUESTION)
    assert verified.response is None
    assert not kit.judge.tasks


@pytest.mark.parametrize("strict", [True, False])
def test_1_objects_of_strict_schemas(kit, strict):
    """Dates, numbers and literals come back from JSON as what they were, also where a schema converts nothing."""
    dated = create_model(
        "Dated", __config__={"strict": strict, "extra": "forbid"}, answer=(str, ...), days=(int, ...), note=(str, "")
    )
    given = dated(answer=kit.SUPPORTED, days=10, note=FALSE)
    assert _answered(kit, given).response == dated(answer=kit.SUPPORTED, days=10)
