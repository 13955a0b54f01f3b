"""Text the model saw but nobody captured is reported, and nothing that has an explanation is."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.runnables import RunnablePassthrough

from grounding_middleware_langchain import cite, ground
from grounding_middleware_langchain._unaccounted import TELLING_WORDS, constants_of, find

QUESTION = "When are refunds paid?"
LONG = " ".join(f"word{n}" for n in range(TELLING_WORDS + 20))


def _notices(kit, context, prompt=None):
    chain = (
        {"context": context, "question": RunnablePassthrough()}
        | (prompt or kit.prompt)
        | kit.Model("Refunds are paid.")
        | StrOutputParser()
    )
    report = ground(chain, kit.grounder).with_report().invoke(QUESTION)
    return [notice for notice in report.notices if "no captured source" in notice]


def test_a_search_that_went_past_us_is_reported(kit):
    """Text from a database, a raw thread or a web search that nobody handed over."""
    (notice,) = _notices(kit, lambda _: LONG)
    assert notice.startswith('100 words of the prompt come from no captured source ("word0 word1')


def test_what_is_captured_or_handed_over_is_not(kit):
    """Documents of a retriever, also rearranged, and text registered with `cite`."""
    long = [Document(page_content=f"refunds {LONG}", metadata={"source": "a"})]
    assert _notices(kit, kit.Retriever(documents=long) | kit.format_docs) == []
    assert _notices(kit, lambda _: cite(long)) == []


def test_templates_and_input_are_no_source_text(kit):
    """Long instructions in a template and a long question are what they are."""
    prompt = ChatPromptTemplate.from_messages([("system", f"{LONG} {{context}}"), ("human", "{question}")])
    assert _notices(kit, lambda _: "short", prompt) == []
    chain = PromptTemplate.from_template("{q}") | kit.Model("x") | StrOutputParser()
    report = ground(chain, kit.grounder).with_report().invoke({"q": LONG})
    assert not any("no captured source" in notice for notice in report.notices)


def test_short_unknown_text_is_not_reported(kit):
    """Headings, separators and a few words of glue are no evidence."""
    assert _notices(kit, lambda _: " ".join(LONG.split()[: TELLING_WORDS - 1])) == []


@pytest.mark.parametrize(
    ("template", "constants"),
    [
        (PromptTemplate.from_template("A {b} c"), ["A ", " c"]),
        (PromptTemplate.from_template("A {{b}} c", template_format="mustache"), ["A ", " c"]),
        (
            ChatPromptTemplate.from_messages([("system", "Be {how}."), MessagesPlaceholder("h"), ("human", "{q}")]),
            ["Be ", ".", "", ""],
        ),
    ],
)
def test_fixed_text_of_templates(template, constants):
    """What stands between the fields, in every kind of template."""
    assert list(constants_of(template)) == constants


def test_longest_run_is_found_behind_known_text():
    """White space does not matter; a known text cuts the run."""
    assert find(f"a\n b {LONG}", ["a b"]) == LONG
    assert find(f"{LONG} X {LONG}", [LONG]) == ""
