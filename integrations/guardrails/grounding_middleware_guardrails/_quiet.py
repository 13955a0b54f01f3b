"""guardrails-ai is imported without side effects on the application; its telemetry stays off unless it was chosen.

Left to itself, importing it and building the first guard starts a telemetry thread that posts spans (error messages
included) to the vendor and delays the exit of an offline process by seconds, adds a handler to the root logger, and
downloads a tokenizer where nltk is installed. Whoever wants the telemetry says so in `~/.guardrailsrc`
(`enable_metrics=true`) or with `guard.configure(allow_metrics_collection=True)`, and gets it.
"""

from __future__ import annotations

import logging
import os
import warnings
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

from grounding_middleware_guardrails._imports import replaced

_OTHER = "openai-guardrails"
_REMEDY = f"uninstall {_OTHER}, then reinstall guardrails-ai; each overwrites files of the other"


def import_guardrails() -> ModuleType:
    """The module `guardrails` of guardrails-ai, quiet; raises `ImportError` when it is missing or another package's."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else litellm fetches prices when it is first used
    try:
        with replaced(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of its own dependencies; not the reader's to mend
            import guardrails  # noqa: PLC0415  # only here, only quietly
    except ImportError as error:
        raise ImportError(_missing(error)) from error
    if not hasattr(guardrails, "Guard"):
        raise ImportError(f"the module 'guardrails' at {guardrails.__file__} is not guardrails-ai: {_REMEDY}")
    if _installed(_OTHER):
        warnings.warn(f"guardrails-ai and {_OTHER} are both installed: {_REMEDY}", UserWarning, stacklevel=3)
    _silence(guardrails)
    return guardrails


def _missing(error: ImportError) -> str:
    if _installed(_OTHER):
        return f"guardrails-ai cannot be imported ({error}): {_REMEDY}"
    return (
        f"guardrails-ai cannot be imported ({error}): pip install 'grounding-middleware[guardrails]', Python below 3.14"
    )


def _installed(distribution: str) -> bool:
    try:
        return bool(version(distribution))
    except PackageNotFoundError:
        return False


def _silence(guardrails: ModuleType) -> None:
    """No telemetry by default, and none of its log lines through the root logger."""
    from guardrails.classes.rc import RC  # noqa: PLC0415  # guardrails must be imported quietly before
    from guardrails.utils import hub_telemetry_utils  # noqa: PLC0415

    utils: Any = hub_telemetry_utils  # its own names are replaced below
    utils.logging = logging.getLogger("guardrails-ai")  # a bare logging.debug() configures the root
    if RC.exists():
        return
    without_choice = RC.from_dict({"enable_metrics": False})

    def load(_: type[RC], logger: logging.Logger | None = None) -> RC:
        return stated(logger) if RC.exists() else without_choice

    stated = RC.load
    RC.load = classmethod(load)  # type: ignore[method-assign, assignment]  # read again for every guard, and its own default is yes
    guardrails.settings.rc = without_choice
    telemetry = utils.HubTelemetry
    if telemetry._instance is None:  # noqa: SLF001  # has no switch of its own
        telemetry._instance = _on_demand(telemetry)  # noqa: SLF001


def _on_demand(telemetry: Any) -> Any:
    """The singleton that starts its exporter when somebody switches it on, not when it is made."""

    class OnDemand(telemetry):  # type: ignore[misc]  # a class known only at run time
        def __new__(cls) -> Any:
            return object.__new__(cls)

        @property
        def _enabled(self) -> bool:
            return bool(self.__dict__.get("enabled"))

        @_enabled.setter
        def _enabled(self, value: bool) -> None:
            first = value and not self.__dict__.get("enabled") and self._tracer is None
            self.__dict__["enabled"] = value
            if first:  # initialize_tracer comes by here again
                self.initialize_tracer("guardrails-hub", "gr_hub", export_locally=False, enabled=True)

    return OnDemand()
