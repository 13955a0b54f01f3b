"""`GroundingResponsePostprocessor`: standalone, attached, and loud in the wrong place."""

from __future__ import annotations

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import RetrieverTool

from grounding_middleware import Action, ConfigError, InputError
from grounding_middleware_llama_index import GroundingResponsePostprocessor, report_of


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("way", ["sync", "async"])
async def test_standalone_on_a_response(kit, way, streaming):
    """A finished response in, one of the same kind out; what was given stays as it is."""
    engine, post = kit.engine(streaming=streaming), GroundingResponsePostprocessor(kit.grounder)
    response = engine.query(kit.QUESTION)
    if way == "sync":
        verified = post.postprocess_response(response, kit.QUESTION)
    else:
        verified = await post.apostprocess_response(response, kit.QUESTION)
    assert type(verified) is type(response)
    assert str(verified) == kit.SUPPORTED
    assert report_of(verified).question == kit.QUESTION
    assert str(response) == kit.RAW
    assert verified.source_nodes == response.source_nodes


async def test_an_asynchronous_stream_needs_the_asynchronous_method(kit):
    """The synchronous one says so."""
    post = GroundingResponsePostprocessor(kit.grounder)
    response = await kit.engine(streaming=True).aquery(kit.QUESTION)
    with pytest.raises(InputError, match="AsyncStreamingResponse"):
        post.postprocess_response(response)
    verified = await post.apostprocess_response(response)
    assert isinstance(verified, AsyncStreamingResponse)
    assert (await verified.get_response()).response == kit.SUPPORTED


def test_nodes_that_are_passed_are_the_evidence(kit):
    """What stood in the prompt, where that is not what the response names."""
    post = GroundingResponsePostprocessor(kit.grounder)
    nodes = [TextNode(text="Refunds are paid within ten days.", id_="r")]
    assert str(post.postprocess_response(Response(kit.RAW), nodes=nodes)) == kit.SUPPORTED
    assert str(post.postprocess_response(Response(kit.RAW))) == kit.grounder.policy.texts.escalation


async def test_a_bare_text_for_workflows_of_ones_own(kit):
    """`verify` and `averify` give the report on any text and nodes."""
    post = GroundingResponsePostprocessor(kit.grounder)
    nodes = [NodeWithScore(node=TextNode(text="Refunds are paid within ten days.", id_="r"))]
    report = post.verify(kit.RAW, nodes, kit.QUESTION)
    assert (report.action, report.text, report.question) == (Action.REVISED, kit.SUPPORTED, kit.QUESTION)
    assert (await post.averify(kit.RAW, nodes, kit.QUESTION)).text == report.text


def test_attached_in_one_line(kit):
    """`attach` is `ground` with the settings of the object."""
    engine = kit.engine()
    safe = GroundingResponsePostprocessor(kit.grounder).attach(engine)
    assert isinstance(safe, RetrieverQueryEngine)
    assert str(safe.query(kit.QUESTION)) == kit.SUPPORTED
    assert str(engine.query(kit.QUESTION)) == kit.RAW


def test_a_verified_response_is_taken_as_it_is(kit):
    """Its report says what was verified; it is not verified again."""
    post = GroundingResponsePostprocessor(kit.grounder)
    safe = post.attach(kit.engine())
    post.postprocess_response(safe.query(kit.QUESTION))
    assert len(kit.judge.tasks) == 1


WRONG = "works on the response, after the model.*Use ground\\(engine\\)"


def test_among_node_postprocessors_of_an_engine(kit):
    """The mistake everybody makes once: the error comes at construction and says where it goes."""
    with pytest.raises(ConfigError, match=WRONG):
        kit.engine(node_postprocessors=[GroundingResponsePostprocessor(kit.grounder)])


def test_among_node_postprocessors_of_a_chat_engine(kit):
    """The same for chat engines."""
    with pytest.raises(ConfigError, match=WRONG):
        ContextChatEngine.from_defaults(
            kit.index().as_retriever(),
            llm=kit.model(),
            memory=ChatMemoryBuffer.from_defaults(),
            node_postprocessors=[GroundingResponsePostprocessor(kit.grounder)],
        )


async def test_where_it_is_only_noticed_when_used(kit):
    """Places that do not set a callback manager fail at the first use, with the same error."""
    post = GroundingResponsePostprocessor(kit.grounder)
    retriever = kit.index().as_retriever()
    tool = RetrieverTool.from_defaults(retriever, name="t", description="t", node_postprocessors=[post])
    with pytest.raises(ConfigError, match=WRONG):
        tool.call("refunds")
    with pytest.raises(ConfigError, match=WRONG):
        await tool.acall("refunds")
    with pytest.raises(ConfigError, match=WRONG):
        _ = post.callback_manager


@pytest.mark.parametrize("response", [None, "text", 1])
def test_what_is_no_response_is_refused(kit, response):
    """The error says what is."""
    with pytest.raises(InputError, match="allowed are Response, StreamingResponse"):
        GroundingResponsePostprocessor(kit.grounder).postprocess_response(response)
