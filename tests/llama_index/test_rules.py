"""Rules in every answer prompt and in no other; a report that says where they are; an error that names them."""

from __future__ import annotations

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.indices.query.query_transform import HyDEQueryTransform
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.prompts import (
    ChatPromptTemplate,
    PromptTemplate,
    PromptType,
    RichPromptTemplate,
    SelectorPromptTemplate,
)
from llama_index.core.prompts.utils import is_chat_model
from llama_index.core.query_engine import RouterQueryEngine, TransformQueryEngine
from llama_index.core.response_synthesizers import (
    Accumulate,
    BaseSynthesizer,
    CompactAndRefine,
    Refine,
    SimpleSummarize,
    TreeSummarize,
    get_response_synthesizer,
)
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool, ToolMetadata
from llama_index.core.types import BaseOutputParser

from grounding_middleware import ConfigError, Grounder, InputError, Policy, Rules
from grounding_middleware_llama_index import GroundedSynthesizer, InjectionReport, ground, inject_rules, report_of
from grounding_middleware_llama_index._templates import RuledTemplate, ruled
from grounding_middleware_llama_index.injecting import DEFAULT_RULES, injectable

HEAD = "Answer only from the sources."
NODES = [NodeWithScore(node=TextNode(text="Refunds are paid within ten days.", id_="r"))]

TEMPLATES = {
    "text": PromptTemplate("Context: {context_str}\nQ: {query_str}"),
    "chat": ChatPromptTemplate.from_messages([("system", "Be kind."), ("user", "{context_str} {query_str}")]),
    "chat without a system message": ChatPromptTemplate.from_messages([("user", "{context_str} {query_str}")]),
    "rich": RichPromptTemplate("Context: {{ context_str }}\nQ: {{ query_str }}"),
    "rich chat": RichPromptTemplate(
        '{% chat role="system" %}Be kind.{% endchat %}'
        '{% chat role="user" %}{{ context_str }} {{ query_str }}{% endchat %}'
    ),
    "selector": SelectorPromptTemplate(
        PromptTemplate("plain {context_str} {query_str}"),
        [(is_chat_model, ChatPromptTemplate.from_messages([("user", "chat {context_str} {query_str}")]))],
    ),
}


@pytest.mark.parametrize("chatty", [True, False])
@pytest.mark.parametrize("name", TEMPLATES)
def test_13_every_kind_of_template(kit, name, chatty):
    """Checklist 13: text, chat, rich (Jinja) and selector templates get the rules, for chat and completion models."""
    model = kit.model(chatty=chatty)
    engine = kit.index().as_query_engine(llm=model, text_qa_template=TEMPLATES[name])
    report = report_of(ground(engine, kit.grounder).query(kit.QUESTION))
    (prompt,) = model.prompts
    assert prompt.count(HEAD) == 1
    assert "Refunds are paid within ten days." in prompt
    assert kit.QUESTION in prompt
    assert "Be kind." in prompt or "kind" not in TEMPLATES[name].get_template()
    assert (report.capture.model_runs, report.capture.rules_reached, report.capture.delivered) == (1, 1, 2)


@pytest.mark.parametrize(
    ("synthesizer", "keys"),
    [
        (Refine, {"text_qa_template", "refine_template"}),
        (CompactAndRefine, {"text_qa_template", "refine_template"}),
        (TreeSummarize, {"summary_template"}),
        (SimpleSummarize, {"text_qa_template"}),
        (Accumulate, {"text_qa_template"}),
    ],
)
def test_13_every_answer_prompt_of_a_synthesizer(kit, synthesizer, keys):
    """Checklist 13: question, refine and summary prompts, and the multimodal ones where the version has them."""
    report = GroundedSynthesizer(synthesizer(llm=kit.model()), kit.grounder).injection
    assert keys <= set(report.injected)
    assert set(report.injected) == set(synthesizer(llm=kit.model()).get_prompts())
    assert not report.skipped


def test_13_refine_prompts_carry_the_rules(kit):
    """Checklist 13: every one of several calls, and our rules say that they go before "repeat the answer"."""
    model = kit.model()
    engine = kit.summary().as_query_engine(llm=model, response_mode="refine")
    ground(engine, kit.grounder).query(kit.QUESTION)
    assert len(model.prompts) == 3
    assert all(prompt.count(HEAD) == 1 and "go before all other instructions" in prompt for prompt in model.prompts)


def test_13_not_in_selectors_or_transforms(kit):
    """Checklist 13: choosing, condensing and dreaming up documents is no answering."""
    chooser = kit.model('[{"choice": 1, "reason": "so"}]')
    dreamer = kit.model("A dream.")
    inner = TransformQueryEngine(kit.engine(), HyDEQueryTransform(llm=dreamer))
    tool = QueryEngineTool(inner, ToolMetadata(name="t", description="t"))
    router = RouterQueryEngine(
        LLMSingleSelector.from_defaults(llm=chooser), [tool], llm=kit.model(), summarizer=TreeSummarize(llm=kit.model())
    )
    assert str(ground(router, kit.grounder).query(kit.QUESTION)) == kit.SUPPORTED
    assert HEAD not in "".join(chooser.prompts + dreamer.prompts)
    report = inject_rules(router, Rules())
    assert "summarizer:summary_template" in report.injected
    assert any(name.startswith("selector:") for name in report.skipped)


class Upper(BaseOutputParser):
    """A parser that leaves its mark on the prompt."""

    def parse(self, output):
        """As it is."""
        return output

    def format(self, query):
        """With a mark."""
        return f"{query} [form]"


def test_13_users_templates_keep_what_they_do(kit):
    """Checklist 13: own variables, function mappings with a fixed signature, and output parsers work as before."""

    def shout(context_str, query_str, tone, loud=""):
        return query_str.upper()

    template = PromptTemplate(
        "{tone} {context_str} {loud} {query_str}",
        function_mappings={"loud": shout},
        output_parser=Upper(),
        tone="Kindly.",
    )
    model = kit.model()
    engine = kit.index().as_query_engine(llm=model, text_qa_template=template)
    ground(engine, kit.grounder).query(kit.QUESTION)
    prompt = model.prompts[0]
    assert HEAD in prompt
    assert "Kindly." in prompt
    assert kit.QUESTION.upper() in prompt
    assert prompt.endswith("[form]")


def test_13_sources_in_the_rules_are_not_expanded(kit):
    """EV-9: the key quotes first words of sources; braces in them meet no template, of either kind."""
    text = "Use {query_str} and {{ query_str }} and {% raw %} with care in {context_str}."
    engine = SummaryIndex([TextNode(text=text, id_="r")]).as_query_engine(
        llm=(model := kit.model("x")), text_qa_template=TEMPLATES["rich"]
    )
    ground(engine, kit.grounder).query(kit.QUESTION)
    key = next(line for line in model.prompts[0].splitlines() if line.startswith("[r] begins"))
    assert "{query_str}" in key
    assert "{{ query_str }}" in key


@pytest.mark.parametrize(("count", "told"), [(2, "key"), (20, "ids"), (200, "none")])
def test_13_many_nodes_leave_room_in_a_small_window(kit, count, told):
    """Checklist 13: what the rules say of each node grows with their number, and gives way before the context does."""
    documents = [Document(text=f"Refunds are paid within ten days. Note {n}.", id_=f"n{n}") for n in range(count)]
    model = kit.model(window=3_900)
    engine = kit.summary(documents).as_query_engine(llm=model, response_mode="tree_summarize")
    report = report_of(ground(engine, kit.grounder).query(kit.QUESTION))
    assert report.text == kit.SUPPORTED
    assert report.capture.rules_reached == report.capture.model_runs
    assert ("by id and first words" in model.prompts[0]) == (told == "key")
    assert ("Cite nothing but: [n0#" in model.prompts[0]) == (told != "none")
    assert all("Answer only from the sources." in prompt for prompt in model.prompts)


def test_13_a_window_too_small_names_our_rules(kit):
    """Checklist 13, PR-6: an error of LlamaIndex about room says that our rules take it, and how much."""
    engine = kit.index().as_query_engine(llm=kit.model(window=1_200))
    long = Rules(extra=("Mind the gap. " * 400,))
    with pytest.raises(InputError, match=r"the grounding rules take \d+ tokens of every prompt"):
        ground(engine, kit.grounder, rules=long).query(kit.QUESTION)
    assert str(ground(engine, kit.grounder, rules=None).query(kit.QUESTION)) == kit.SUPPORTED


def test_13_other_errors_stay_what_they_are(kit):
    """An error of the model is not blamed on the rules."""

    def fail(_):
        raise ValueError("out of credit")

    engine = kit.summary().as_query_engine(llm=kit.model(fail), response_mode="tree_summarize")
    with pytest.raises(ValueError, match="out of credit"):
        ground(engine, kit.grounder).query("?")


def test_rules_name_the_spans_at_hand(kit):
    """PR-2: the ids the model may cite, each with the first words of its text."""
    model = kit.model()
    ground(kit.index().as_query_engine(llm=model), kit.grounder).query(kit.QUESTION)
    assert "Cite nothing but: [vouchers.md#f8369861] [refunds.md@3#" in model.prompts[0]
    assert '[vouchers.md#f8369861] begins: "Refunds for vouchers are not possible."' in model.prompts[0]


def test_a_cited_id_is_resolved(kit):
    """CI-1: a model that cites as it is told is judged against the span it names."""

    def reply(messages):
        key = next(line for line in messages[0].content.splitlines() if 'begins: "Refunds are paid' in line)
        return f"Refunds are paid within ten days {key.split()[0]}."

    response = ground(kit.engine(reply), kit.grounder).query(kit.QUESTION)
    assert str(response).startswith("Refunds are paid within ten days [refunds.md@3#")
    assert report_of(response).citations[0].valid


def test_rules_of_ones_own_and_none(kit):
    """`rules` are settings like any other; None leaves every prompt as it was."""
    model = kit.model()
    engine = kit.index().as_query_engine(llm=model)
    engine.query(kit.QUESTION)
    ground(engine, kit.grounder, rules=None).query(kit.QUESTION)
    assert model.prompts[0] == model.prompts[1]
    ground(engine, kit.grounder, rules=Rules(extra=("Write in verse.",))).query(kit.QUESTION)
    assert "- Write in verse." in model.prompts[2]
    ground(engine, Grounder(policy=Policy(needs_judge=False), rules=Rules(max_sentences=3))).query(kit.QUESTION)
    assert "at most 3 sentences" in model.prompts[3]  # the grounder's own are the default
    report = report_of(ground(engine, kit.grounder, rules=None).query(kit.QUESTION))
    assert (report.capture.rules_version, report.notices) == ("", ())


def test_inject_rules_in_place_and_once(kit):
    """The explicit function changes what it is given, deep parts included, and a second time nothing."""
    engine = TransformQueryEngine(kit.engine(), HyDEQueryTransform(llm=kit.model()))
    first = inject_rules(engine)
    assert first == InjectionReport(
        injected=first.injected,
        skipped={"query_transform:hyde_prompt": "HyDEQueryTransform does not write answers with it"},
    )
    assert "query_engine:response_synthesizer:text_qa_template" in first.injected
    assert first.reached
    second = inject_rules(engine)
    assert (second.injected, second.already_present) == ((), first.injected)
    assert not InjectionReport().reached


def test_rules_injected_by_hand_are_replaced_by_those_of_the_turn(kit):
    """Grounding an engine that carries rules already does not double them."""
    model = kit.model()
    engine = kit.index().as_query_engine(llm=model)
    inject_rules(engine)
    ground(engine, kit.grounder).query(kit.QUESTION)
    assert model.prompts[0].count(HEAD) == 1
    assert "begins:" in model.prompts[0]


def test_chat_engines_have_no_prompts_to_inject_into(kit):
    """The error says what to do instead."""
    chat = SimpleChatEngine.from_defaults(llm=kit.model(), memory=ChatMemoryBuffer.from_defaults())
    with pytest.raises(ConfigError, match=r"ground\(\.\.\.\) for chat engines"):
        inject_rules(chat)


class Shared(BaseSynthesizer):
    """A synthesizer of somebody's own that keeps its prompts where copies share them, and one it never updates."""

    def __init__(self, llm):
        super().__init__(llm=llm)
        text = TEMPLATES["text"]
        self.prompts = {"own_template": text, "stubborn": text, "title_template": PromptTemplate("T")}

    def _get_prompts(self):
        return self.prompts

    def _update_prompts(self, prompts):
        self.prompts.update({key: value for key, value in prompts.items() if key != "stubborn"})

    def get_response(self, query_str, text_chunks, **kwargs):
        """One call."""
        return self._llm.predict(self.prompts["own_template"], context_str="\n".join(text_chunks), query_str=query_str)

    async def aget_response(self, query_str, text_chunks, **kwargs):
        """The same."""
        return self.get_response(query_str, text_chunks)


def test_prompts_that_cannot_be_reached_on_a_copy_are_reported(kit):
    """PR-5: what injecting would change in the original is left alone, and the report says so."""
    synthesizer = Shared(kit.model())
    safe = GroundedSynthesizer(synthesizer, kit.grounder)
    assert synthesizer.prompts["own_template"] is TEMPLATES["text"]
    assert safe.injection.injected == ()
    assert safe.injection.skipped == {
        "own_template": "its synthesizer cannot take it on a copy",
        "stubborn": "its synthesizer ignores updates",
        "title_template": "Shared does not write answers with it",
    }
    response = safe.synthesize(kit.QUESTION, NODES)
    assert str(response) == kit.SUPPORTED
    assert any("rules reached 0 of 1 model runs" in notice for notice in report_of(response).notices)
    assert injectable(get_response_synthesizer(llm=kit.model())).reached


def test_a_system_message_keeps_its_blocks():
    """Other blocks of the message stay, so that cache marks on them survive."""
    blocks = [TextBlock(text="Be kind."), TextBlock(text="Be brief.")]
    template = ChatPromptTemplate([ChatMessage(role=MessageRole.SYSTEM, blocks=blocks)])
    (message,) = ruled(template, "RULES").format_messages()
    assert [block.text for block in message.blocks] == ["Be kind.", "Be brief.\n\nRULES"]
    assert len(template.message_templates[0].blocks) == 2


def test_a_ruled_template_is_still_a_template():
    """Variables, partial values, type and output parser are the inner template's; rendering twice adds nothing."""
    inner = PromptTemplate("{a} {b}", prompt_type=PromptType.QUESTION_ANSWER)
    template = ruled(inner, "RULES")
    assert isinstance(template, RuledTemplate)
    assert (template.template_vars, template.metadata) == (["a", "b"], inner.metadata)
    part = template.partial_format(a="1")
    assert part.format(b="2") == "RULES\n\n1 2"
    assert part.kwargs == {"a": "1"}
    assert template.format(a="x", b="y", completion_to_prompt=lambda text: f"<{text}>") == "<RULES\n\nx y>"
    assert ruled(template, "OTHER").format(a="x", b="y") == "OTHER\n\nx y"
    assert inner.format(a="x", b="y") == "x y"
    assert template.get_template() == "RULES\n\n{a} {b}"
    assert DEFAULT_RULES.text().startswith(HEAD)
