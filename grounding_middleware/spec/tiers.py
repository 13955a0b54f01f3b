"""The judges a spec can name, as data; secrets are references to the environment, never values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from grounding_middleware.judges.nli.thresholds import Thresholds
from grounding_middleware.judges.openai import ReplyFormat
from grounding_middleware.judges.patience import MAX_RETRIES
from grounding_middleware.policy.settings import Setting

__all__ = ["Breaking", "Endpoint", "JudgeSpec", "LocalModel", "Named", "Secret", "Tier"]

Seconds = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]


class Secret(Setting):
    """A value that stands in the environment variable `env` when the spec is used; the spec never holds it."""

    env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Endpoint(Setting):
    """A chat model behind an OpenAI-compatible endpoint (extra `openai`).

    Without `base_url` and `api_key` the client's own environment variables count. `max_input_tokens` bounds one
    request, `retries` further attempts, `retry_wait` the seconds that Retry-After may ask for.
    """

    kind: Literal["openai"]
    model: Name
    name: Name = "llm"
    base_url: Annotated[str, Field(pattern=r"^https?://[^@]*$")] | None = None
    api_key: Secret | None = None
    reply_format: ReplyFormat = "json_schema"
    stream: bool = False
    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"  # noqa: S105  # no password
    seconds: Seconds = 60.0
    parameters: dict[str, Any] = Field(default_factory=lambda: {"temperature": 0})
    max_input_tokens: Annotated[int, Field(ge=1)] = 6_000
    per_claim: bool = False
    retries: Annotated[int, Field(ge=0, le=MAX_RETRIES)] = MAX_RETRIES
    retry_wait: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 30.0


class LocalModel(Setting):
    """A local inference model (extra `nli`): a folder, the name of an installed model, or a hub id already fetched.

    A relative folder is looked up from the working directory. Without `thresholds` those beside the model count.
    """

    kind: Literal["local"]
    model: Name
    name: Name = "nli"
    threads: Annotated[int, Field(ge=1, le=64)] = 1
    thresholds: Thresholds | None = None


class Named(Setting):
    """A judge, model or function that the program hands over under this name: `from_spec(path, names={...})`."""

    kind: Literal["named"]
    name: Name


Tier = Annotated[Endpoint | LocalModel | Named, Field(discriminator="kind")]


class Breaking(Setting):
    """A tier that failed `threshold` times in a row is left alone for `cooldown` seconds."""

    threshold: Annotated[int, Field(ge=1)] = 5
    cooldown: Seconds = 30.0


class JudgeSpec(Setting):
    """Judges in order of cost, each asked only what the ones before could not decide.

    `second_opinion` must confirm claims of action risk. `timeout` bounds each model call, `deadline` all calls of one
    answer, in seconds.
    """

    tiers: Annotated[tuple[Tier, ...], Field(min_length=1)]
    second_opinion: Tier | None = None
    timeout: Seconds = 60.0
    deadline: Seconds | None = None
    breaker: Breaking = Breaking()
