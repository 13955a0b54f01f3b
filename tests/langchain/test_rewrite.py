"""The rules reach every model of a chain that can be reached, on a copy, and the report says how many runs had them."""

from __future__ import annotations

import copy
import warnings

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListLLM
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import (
    ConfigurableField,
    RouterRunnable,
    RunnableBranch,
    RunnableLambda,
    RunnableParallel,
    RunnablePassthrough,
)
from typing_extensions import TypedDict

from grounding_middleware import ConfigError, InputError, Rules
from grounding_middleware_langchain import ground, with_rules
from grounding_middleware_langchain._rewrite import Rewrite

QUESTION = "When are refunds paid?"
ANSWER = "Refunds are paid within ten days."
RULES = "Answer only from the sources."


def _retrieval(kit):
    return {"context": kit.Retriever(documents=kit.documents) | kit.format_docs, "question": RunnablePassthrough()}


def _wrapped(name, model, kit):
    """The usual chain with its model inside one kind of wrapper."""
    head = _retrieval(kit) | kit.prompt
    tail = StrOutputParser()
    other = kit.Model("unused")
    chains = {
        "bare": lambda: head | model | tail,
        "bind": lambda: head | model.bind(stop=["x"]) | tail,
        "with_config": lambda: head | model.with_config(tags=["mine"], run_name="writer") | tail,
        "with_retry on the model": lambda: head | model.with_retry() | tail,
        "with_retry on the chain": (head | model | tail).with_retry,
        "with_fallbacks on the model": lambda: head | kit.Model(_raise).with_fallbacks([model]) | tail,
        "with_fallbacks on the chain": lambda: (head | kit.Model(_raise) | tail).with_fallbacks([head | model | tail]),
        "with_listeners": lambda: (head | model | tail).with_listeners(on_end=lambda _: None),
        "with_types": lambda: (head | model | tail).with_types(output_type=str),
        "branch": lambda: head | RunnableBranch((lambda _: True, model), other) | tail,
        "branch default": lambda: head | RunnableBranch((lambda _: False, other), model) | tail,
        "parallel": lambda: head | RunnableParallel(a=model | tail) | (lambda value: value["a"]),
        "assign": lambda: (
            _retrieval(kit) | RunnablePassthrough.assign(a=kit.prompt | model | tail) | (lambda value: value["a"])
        ),
        "pick": lambda: _retrieval(kit) | RunnableParallel(a=kit.prompt | model | tail).pick("a"),
        "each": lambda: head | (lambda value: [value]) | model.map() | (lambda found: found[0]) | tail,
        "router": lambda: (
            head | (lambda value: {"key": "a", "input": value}) | RouterRunnable({"a": model, "b": other}) | tail
        ),
        "alternatives": lambda: (
            head | other.configurable_alternatives(ConfigurableField(id="model"), mine=model) | tail
        ).with_config(configurable={"model": "mine"}),
        "alternatives by factory": lambda: (
            head | other.configurable_alternatives(ConfigurableField(id="model"), mine=lambda: model) | tail
        ).with_config(configurable={"model": "mine"}),
        "configurable fields": lambda: (
            head | model.configurable_fields(disable_streaming=ConfigurableField(id="stream")) | tail
        ).with_config(configurable={"stream": True}),
        "bind over retry over bind": lambda: head | model.bind(stop=["x"]).with_retry().bind(a=1) | tail,
        "nested sequences": lambda: head | (RunnablePassthrough() | (model | tail)),
        "with_rules in a function": lambda: head | RunnableLambda(lambda value: with_rules(model).invoke(value)) | tail,
    }
    return chains[name]()


def _raise(_):
    raise ConnectionError("down")


WRAPPERS = [
    "bare", "bind", "with_config", "with_retry on the model", "with_retry on the chain", "with_fallbacks on the model",
    "with_fallbacks on the chain", "with_listeners", "with_types", "branch", "branch default", "parallel", "assign",
    "pick", "each", "router", "alternatives", "alternatives by factory", "configurable fields",
    "bind over retry over bind", "nested sequences",
]  # fmt: skip


@pytest.mark.parametrize("name", WRAPPERS)
async def test_rules_reach_the_model_inside(kit, name):
    """PR-5: through every wrapper, sync, async and streamed; the original chain stays as it was."""
    model = kit.Model(ANSWER)
    chain = _wrapped(name, model, kit)
    before = repr(chain)
    guarded = ground(chain, kit.grounder)
    assert guarded.invoke(QUESTION) == ANSWER
    assert await guarded.ainvoke(QUESTION) == ANSWER
    assert "".join(guarded.stream(QUESTION)) == ANSWER
    assert "".join([chunk async for chunk in guarded.astream(QUESTION)]) == ANSWER
    assert all(RULES in seen[0].text for seen in model.seen)
    assert len(model.seen) == 4
    capture = guarded.with_report().invoke(QUESTION).capture
    assert 1 <= capture.rules_reached == capture.model_runs
    assert repr(chain) == before
    model.seen.clear()
    chain.invoke(QUESTION)
    assert RULES not in model.seen[0][0].text, "the original runs without rules"


def test_model_in_a_function_can_be_given_rules(kit):
    """`with_rules` is the way into places no walk can reach."""
    model = kit.Model(ANSWER)
    report = ground(_wrapped("with_rules in a function", model, kit), kit.grounder, require_rules=False)
    assert report.with_report().invoke(QUESTION).capture.rules_reached == 1
    with_rules(model).invoke("bare")
    assert RULES not in model.seen[-1][0].text, "outside a guarded invocation it is the bare model"


def test_a_chain_no_rule_can_reach_is_refused(kit):
    """Checklist 24: silent failure to inject is a defect; it is said at construction, with the ways out."""
    model = kit.Model(ANSWER)
    chain = (
        _retrieval(kit) | kit.prompt | RunnableLambda(lambda value: model.invoke(value.messages)) | StrOutputParser()
    )
    with pytest.raises(ConfigError, match=r"1 of them captured by a function.*with_rules.*rules=None.*require_rules"):
        ground(chain, kit.grounder)
    report = ground(chain, kit.grounder, require_rules=False).with_report().invoke(QUESTION)
    assert (report.capture.rules_reached, report.capture.model_runs) == (0, 1)
    assert "rules reached 0 of 1 model runs" in report.notices


@pytest.mark.parametrize("sync", [True, False])
async def test_an_answer_of_a_model_without_rules_is_an_error(kit, sync):
    """Checklist 24: a model was reached, but another one wrote the answer; that is said when it happens."""
    hidden = kit.Model(ANSWER)

    def write(value):
        return hidden.invoke(value).text

    chain = _retrieval(kit) | kit.prompt | RunnableBranch((lambda _: False, kit.Model("x")), RunnableLambda(write))
    guarded = ground(chain, kit.grounder)
    with pytest.raises(ConfigError, match=r"0 of the 1 model runs that wrote the answer.*with_rules\(model\)"):
        guarded.invoke(QUESTION) if sync else await guarded.ainvoke(QUESTION)
    with pytest.raises(ConfigError, match="0 of the 1 model runs"):
        list(ground(chain, kit.grounder, stream="claims").stream(QUESTION))
    allowed = ground(chain, kit.grounder, require_rules=False).with_report().invoke(QUESTION)
    assert "rules reached 0 of 1 model runs" in allowed.notices


def test_a_canned_answer_needs_no_rules(kit):
    """A chain that answers without a model's words, after asking one something else, is no failed injection."""
    hidden = kit.Model("unsafe question")

    def moderate(question):
        return "Please ask something else." if hidden.invoke(question).text.startswith("unsafe") else question

    chain = RunnableBranch((lambda _: False, kit.chain()), RunnableLambda(moderate))
    assert ground(chain, kit.grounder).invoke(QUESTION) == "Please ask something else."


def test_rules_and_evidence_keep_a_budget(kit):
    """PR-6: what they take of the prompt is counted; too much is an error that names the rules, before the call."""
    model = kit.Model(ANSWER)
    chain = kit.chain(model=model)
    with pytest.raises(InputError, match=r"the grounding rules \w+ take \d+ tokens and the evidence \(2 spans\) takes"):
        ground(chain, kit.grounder, max_prompt_tokens=60).invoke(QUESTION)
    assert model.seen == []
    assert ground(chain, kit.grounder, max_prompt_tokens=4_000).invoke(QUESTION) == ANSWER
    with pytest.raises(ConfigError, match="max_prompt_tokens: -1 is wrong; allowed are whole numbers from 1"):
        ground(chain, kit.grounder, max_prompt_tokens=-1)


def test_a_history_around_the_chain_is_refused(kit):
    """It would keep what nobody verified; the way out is named, and works."""
    history = pytest.importorskip("langchain_core.runnables.history")
    from langchain_core.chat_history import InMemoryChatMessageHistory  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangChain calls both deprecated
        kept = InMemoryChatMessageHistory()

        def remembering(chain):
            by_key = RunnableLambda(lambda value: value["question"][-1].text) | chain
            return history.RunnableWithMessageHistory(by_key, lambda _: kept, input_messages_key="question")

        with pytest.raises(ConfigError, match=r"RunnableWithMessageHistory\(ground\(chain\), ...\)"):
            ground(remembering(kit.chain()), kit.grounder)
        config = {"configurable": {"session_id": "1"}}
        remembering(ground(kit.chain(), kit.grounder)).invoke({"question": "When are refunds paid?"}, config)
    assert [message.text for message in kept.messages] == [
        "When are refunds paid?",
        "Refunds are paid within ten days. ",
    ]


def test_no_rules_on_request(kit):
    """`rules=None` injects nothing and reports nothing missing."""
    model = kit.Model(ANSWER)
    report = ground(_wrapped("bare", model, kit), kit.grounder, rules=None).with_report().invoke(QUESTION)
    assert RULES not in model.seen[0][0].text
    assert report.notices == ()


def test_rules_are_those_of_the_grounder_by_default(kit):
    """One place for settings: what the grounder was built with goes into the prompt, also through `with_rules`."""
    kit.grounder.rules = Rules(extra=("Be brief.",))
    hidden = kit.Model(ANSWER)
    chain = _retrieval(kit) | kit.prompt | RunnableLambda(with_rules(hidden).invoke)
    report = ground(chain, kit.grounder, require_rules=False).with_report().invoke(QUESTION)
    assert "Be brief." in hidden.seen[0][0].text
    assert report.capture.rules_version == kit.grounder.rules.version
    other = kit.Model(ANSWER)
    ground(kit.chain(model=other), kit.grounder, rules=Rules()).invoke(QUESTION)
    assert "Be brief." not in other.seen[0][0].text
    with pytest.raises(ConfigError, match="rules: got 'none'"):
        ground(kit.chain(), kit.grounder, rules="none")


def test_own_rules_reach_the_model(kit):
    """The wording is the caller's to set; its version stands in the report."""
    rules = Rules(max_sentences=2, unanswered="No idea.")
    model = kit.Model(ANSWER)
    report = ground(_wrapped("bare", model, kit), kit.grounder, rules=rules).with_report().invoke(QUESTION)
    assert "No idea." in model.seen[0][0].text
    assert report.capture.rules_version == rules.version


def test_rules_name_the_ids_of_the_spans_this_prompt_shows(kit):
    """A chain that prints no ids: the rules list them, each with the first words of its text."""
    model = kit.Model(ANSWER)
    report = ground(_wrapped("bare", model, kit), kit.grounder).with_report().invoke(QUESTION)
    system = model.seen[0][0].text
    first, second = report.evidence.spans
    assert f'[{first.id}] begins: "Refunds are paid within ten days. They go to the card used"' in system
    assert f'[{second.id}] begins: "Refunds for vouchers are not possible."' in system


def test_spans_the_prompt_does_not_show_are_not_offered_for_citing(kit):
    """A trimmed document must not be cited: its id is not in the rules."""
    model = kit.Model(ANSWER)
    head = {"context": kit.Retriever(documents=kit.documents) | (lambda d: d[0].page_content), "question": lambda q: q}
    chain = RunnableParallel(head) | kit.prompt | model | StrOutputParser()
    ground(chain, kit.grounder).invoke(QUESTION)
    assert "vouchers" not in model.seen[0][0].text


def test_words_quoted_in_the_rules_are_no_delivery(kit):
    """A short span stands whole in the list of ids; that alone does not make it delivered."""
    short = [Document(page_content="Refunds take ten days.", metadata={"source": "a"})]
    model = kit.Model(ANSWER)
    prompt = ChatPromptTemplate.from_messages([("human", "{context} {question}")])
    context = kit.Retriever(documents=short) | (lambda d: d[0].page_content)
    seen = []

    def drop_context(messages):
        seen.append(messages)
        return [messages[0], HumanMessage(QUESTION)]

    ruled = with_rules(RunnableLambda(drop_context) | model)
    chain = {"context": context, "question": RunnablePassthrough()} | prompt | ruled | StrOutputParser()
    ground(chain, kit.grounder).invoke(QUESTION)
    assert "Refunds take ten days." in model.seen[0][0].text
    assert not kit.grounder.last.evidence[0].delivered


def test_query_rewriter_gets_no_rules(kit):
    """A model that runs before the first retrieval writes a query, not the answer."""
    rewriter, writer = kit.Model("refunds"), kit.Model(ANSWER)
    rewrite = ChatPromptTemplate.from_template("Rewrite: {question}") | rewriter | StrOutputParser()
    chain = (
        RunnableLambda(lambda q: {"question": q}) | rewrite | _retrieval(kit) | kit.prompt | writer | StrOutputParser()
    )
    capture = ground(chain, kit.grounder).with_report().invoke(QUESTION).capture
    assert RULES not in rewriter.seen[0][0].text
    assert RULES in writer.seen[0][0].text
    assert (capture.model_runs, capture.rules_reached) == (1, 1)


def test_model_inside_a_retriever_is_no_answer_model(kit):
    """A multi-query retriever asks a model; the report does not count that run."""
    helper = kit.Model("refunds")

    class MultiQuery(type(kit.Retriever(documents=[]))):
        def _get_relevant_documents(self, query, *, run_manager):
            asked = helper.invoke(query, config={"callbacks": run_manager.get_child()}).text
            return super()._get_relevant_documents(asked, run_manager=run_manager)

    capture = (
        ground(kit.chain(ANSWER, retriever=MultiQuery(documents=kit.documents)), kit.grounder)
        .with_report()
        .invoke(QUESTION)
        .capture
    )
    assert (capture.model_runs, capture.rules_reached, capture.captured) == (1, 1, 2)


def test_tools_and_bound_arguments_arrive(kit):
    """Injection leaves bound tools and stop words where they are."""
    model = kit.Model(ANSWER)
    chain = _retrieval(kit) | kit.prompt | model.bind(tools=[{"name": "t"}], stop=["x"]) | StrOutputParser()
    ground(chain, kit.grounder).invoke(QUESTION)
    assert model.kwargs_seen[0]["tools"] == [{"name": "t"}]


def test_completion_models_get_the_rules_before_the_prompt(kit):
    """A text completion model takes one string."""
    events = kit.Events()
    prompts = []
    events.on_llm_start = lambda serialized, texts, **_: prompts.extend(texts)
    prompt = PromptTemplate.from_template("{context}\nQ: {question}")
    chain = _retrieval(kit) | prompt | FakeListLLM(responses=[ANSWER]) | StrOutputParser()
    report = ground(chain, kit.grounder).with_report().invoke(QUESTION, {"callbacks": [events]})
    assert prompts[0].startswith(RULES)
    assert prompts[0].endswith(f"Q: {QUESTION}")
    assert (report.capture.rules_reached, report.capture.delivered) == (1, 2)


def test_system_message_keeps_its_blocks(kit):
    """Cache marks on a system block survive; the rules are a block after it."""
    block = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}
    model = kit.Model(ANSWER)
    context = kit.Retriever(documents=kit.documents) | kit.format_docs
    chain = context | (lambda text: [SystemMessage([block]), HumanMessage(text)]) | model | StrOutputParser()
    ground(chain, kit.grounder).invoke(QUESTION)
    first = model.seen[0][0]
    assert first.content[0] == block
    assert RULES in first.content[1]["text"]
    assert isinstance(model.seen[0][1], HumanMessage)


def test_a_prompt_without_system_message_gets_one(kit):
    """The caller's own messages stay word for word."""
    model = kit.Model(ANSWER)
    context = kit.Retriever(documents=kit.documents) | kit.format_docs
    ground(context | model | StrOutputParser(), kit.grounder).invoke(QUESTION)
    system, human = model.seen[0]
    assert isinstance(system, SystemMessage)
    assert human.text == kit.format_docs([kit.documents[0], kit.documents[2]])


def test_the_same_prompt_gives_the_same_rules(kit):
    """Nothing random enters the prompt: caches of model replies keep working."""
    model = kit.Model(ANSWER)
    guarded = ground(_wrapped("bare", model, kit), kit.grounder)
    guarded.batch([QUESTION, QUESTION])
    assert model.seen[0] == model.seen[1]


def test_structure_of_the_original_is_untouched(kit):
    """The walk copies; every object of the original chain is the same object as before."""
    chain = _wrapped("bare", kit.Model(ANSWER), kit)
    steps, fields = list(chain.steps), copy.copy(chain.__dict__)
    guarded = ground(chain, kit.grounder)
    assert all(now is then for now, then in zip(chain.steps, steps, strict=True))
    assert chain.__dict__ == fields
    assert guarded.bound is chain
    assert all(new is old for new, old in zip(guarded.ruled.steps[:2], steps[:2], strict=True)), "no needless copies"


def test_models_chosen_at_run_time_are_reached():
    """`init_chat_model` without a fixed model gives no `BaseChatModel`; it gets the rules all the same."""
    chat_models = pytest.importorskip("langchain.chat_models")
    model = chat_models.init_chat_model(configurable_fields=("model",))
    walk = Rewrite(with_rules)
    chain = RunnablePassthrough() | model
    assert walk(chain).steps[1].bound is model
    assert walk.models == 1


@pytest.mark.parametrize("sync", [True, False])
async def test_a_graph_with_ruled_models_is_guarded(kit, sync):
    """A compiled graph is a runnable like others: evidence and rules arrive through its nodes."""
    graph_module = pytest.importorskip("langgraph.graph")

    class State(TypedDict, total=False):
        question: str
        context: str
        generation: str

    model, retriever = with_rules(kit.Model(f"{ANSWER} WRONG one.")), kit.Retriever(documents=kit.documents)

    def generate(state):
        return {"generation": model.invoke(kit.prompt.invoke(state)).text}

    builder = graph_module.StateGraph(State)
    builder.add_node("retrieve", lambda state: {"context": kit.format_docs(retriever.invoke(state["question"]))})
    builder.add_node("generate", generate)
    builder.add_edge("__start__", "retrieve")
    builder.add_edge("retrieve", "generate")
    guarded = ground(builder.compile(), kit.grounder, require_rules=False, answer_key="generation")
    value = {"question": QUESTION}
    result = guarded.invoke(value) if sync else await guarded.ainvoke(value)
    assert result["generation"] == f"{ANSWER} "
    call = kit.grounder.last
    assert (call.question, call.capture.delivered, call.capture.rules_reached, call.capture.model_runs) == (
        QUESTION, 2, 1, 1,
    )  # fmt: skip
