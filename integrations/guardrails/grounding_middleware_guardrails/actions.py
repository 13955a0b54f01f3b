"""Our action words and what guardrails-ai calls them: the only place where one is turned into the other.

| action   | a guard then gives                                                    | on_fail | also allowed       |
|----------|-----------------------------------------------------------------------|---------|--------------------|
| remove   | the text without unsupported claims; nothing if none is left          | fix     | refrain, exception |
| repair   | the same, after unsupported claims were rewritten and verified again  | fix     | refrain, exception |
| escalate | nothing as soon as one claim is unsupported                           | refrain | filter, exception  |
| flag     | the text as it is, marked as failed: **unverified text goes out**     | noop    | -                  |

`noop` gives the unverified text, so it is refused for every action but `flag`. `reask` and `fix_reask` are refused:
they show the unverified text to a model again, lose the evidence on the way, and count as passed once the attempts are
used up. A function (`custom`) is refused as well: whatever it returns counts as passed.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from guardrails import OnFailAction

from grounding_middleware_guardrails.arguments import ArgumentError, GuardAction

_FIXING: Final = (OnFailAction.FIX, OnFailAction.REFRAIN, OnFailAction.EXCEPTION)
ALLOWED: Final = MappingProxyType[GuardAction, tuple[OnFailAction, ...]](
    {
        GuardAction.REMOVE: _FIXING,
        GuardAction.REPAIR: _FIXING,
        GuardAction.ESCALATE: (OnFailAction.REFRAIN, OnFailAction.FILTER, OnFailAction.EXCEPTION),
        GuardAction.FLAG: (OnFailAction.NOOP,),
    }
)
"""What guardrails-ai may do for each action; the first is what it does when nothing is said."""

_WHY: Final = MappingProxyType(
    {
        OnFailAction.NOOP: "noop lets the unverified text through; action 'flag' says that this is wanted",
        OnFailAction.REASK: "reask counts as passed once the attempts are used up; action 'repair' verifies",
        OnFailAction.FIX_REASK: "fix_reask loses the evidence; action 'repair' verifies",
        OnFailAction.CUSTOM: "whatever a function returns counts as passed; read the report instead",
    }
)


def on_fail_for(action: GuardAction, wanted: Any, owner: str) -> OnFailAction:
    """What guardrails-ai is told for `action`; `wanted` is what a spec or caller says, None for nothing.

    Raises `ArgumentError` when the two do not go together; `owner` names the validator in it.
    """
    if wanted is None:
        return ALLOWED[action][0]
    found = OnFailAction.CUSTOM if callable(wanted) and not isinstance(wanted, str) else _known(wanted)
    if found in ALLOWED[action]:
        return found
    names = ", ".join(one.value for one in ALLOWED[action])
    why = f" ({_WHY[found]})" if found is not None and found in _WHY else ""
    shown = repr(wanted) if found is None else f"{found.value!r}"
    raise ArgumentError(f"{owner}: on_fail {shown} is wrong for action {action.value!r}{why}; allowed are {names}")


def _known(wanted: Any) -> OnFailAction | None:
    return next((one for one in OnFailAction if isinstance(wanted, str) and wanted == one.value), None)
