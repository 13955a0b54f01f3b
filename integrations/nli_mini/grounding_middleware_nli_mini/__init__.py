"""A small local verifier as data: `folder()` is where its files lie.

    from grounding_middleware import Grounder

    grounder = Grounder(judge="nli-mini")

Read `MODEL_CARD.md` in that folder before you rely on it.
"""

from pathlib import Path

__all__ = ["folder"]


def folder() -> Path:
    """The folder with the model, its tokenizer, its label names, its measured thresholds and its model card."""
    return Path(__file__).with_name("model")
