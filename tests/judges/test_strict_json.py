"""The strict reader: what it takes off, what it refuses, and that it never looks inside a broken value."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.judges.strict_json import MAX_LENGTH, UnreadableError, read

READ = {
    "bare": ('{"a": 1}', {"a": 1}),
    "byte order mark": ('\ufeff{"a": 1}', {"a": 1}),
    "fence": ('```json\n{"a": 1}\n```', {"a": 1}),
    "fence without a name": ('```\n{"a": 1}\n```', {"a": 1}),
    "prose around": ('Sure! [S1] says so:\n{"a": 1}\nThat is all [1].', {"a": 1}),
    "list of objects": ('[{"a": 1}]', [{"a": 1}]),
    "empty list": ("[]", []),
    "reasoning": ('<think>{"a": 2} no</think>{"a": 1}', {"a": 1}),
    "reasoning, capitals": ('<THINK>hm</THINK>\n{"a": 1}', {"a": 1}),
    "reasoning whose opening tag was in the prompt": ('hm, {"a": 2}?\n</think>\n{"a": 1}', {"a": 1}),
    "tag inside a string": ('{"a": "</think>"}', {"a": "</think>"}),
    "line break inside a string": ('{"a": "b\nc"}', {"a": "b\nc"}),
    "escapes": ('{"a": "\\u0062\\n"}', {"a": "b\n"}),
}
REFUSED = {
    "empty": "",
    "prose": "All fine.",
    "numbers": "[1, 2]",
    "cut off": '{"a": [{"b": 1}, {"b": ',
    "cut list": '[{"a": 1}, {"a"',
    "single quotes": "{'a': 1}",
    "trailing comma": '{"a": 1,}',
    "comment": '{"a": 1 /* b */}',
    "no quotes": "{a: 1}",
    "two objects": '{"a": 1}\n{"a": 2}',
    "the same object twice": '{"a": 1} {"a": 1}',
    "second object broken": '{"a": 1}\n{"a": ',
    "object after a list": '[{"a": 1}] {"a": 1}',
    "duplicate key": '{"a": 1, "a": 1}',
    "duplicate key inside": '{"b": {"a": 1, "a": 2}}',
    "NaN": '{"a": NaN}',
    "infinity": '{"a": -Infinity}',
    "overflow": '{"a": 1e999}',
    "huge integer": '{"a": ' + "9" * 5_000 + "}",
    "deep nesting": '{"a":' * 100_000,
    "deep list": '{"a":' + "[" * 100_000,
    "reasoning without end": '<think>{"a": 1}',
    "reasoning ends twice": '<think>x</think>{"a": 2}</think>{"a": 1}',
    "draft, then reasoning, then another object": 'x</think>{"a": 1} {"a": 2}',
    "too long": '{"a": 1}' + " " * MAX_LENGTH,
    "braces in prose before": 'In the form {claim}: {"a": 1}',
}


@pytest.mark.parametrize(("reply", "value"), READ.values(), ids=READ)
def test_read(reply: str, value: object) -> None:
    """Harmless packaging changes nothing of the value."""
    assert read(reply)[0] == value


@pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)
def test_refused(reply: str) -> None:
    """What is not one strict JSON value is refused, never repaired."""
    with pytest.raises(UnreadableError):
        read(reply)


def test_own_text() -> None:
    """The text of the value is given as it stands in the reply."""
    assert read('So: {"a" : 1} .')[1] == '{"a" : 1}'


@given(st.text() | st.text(st.sampled_from('{}[]",:0123456789.eE+-truefalsn \n</think>`')))
def test_no_other_error(reply: str) -> None:
    """Whatever the reply, it is read or refused, nothing else happens."""
    with contextlib.suppress(UnreadableError):
        assert reply.count(read(reply)[1]) >= 1
