"""A page as one HTML document: no script, no request, every text escaped.

The Content-Security-Policy in the document forbids everything but this one style sheet, by its hash. Raises
`ConfigError` when the extra `report` is not installed.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from grounding_middleware.errors import ConfigError
from grounding_middleware.evaluation.page.blocks import Page

__all__ = ["render"]

_TEMPLATES = files("grounding_middleware.evaluation.page") / "templates"


def render(page: Page) -> str:
    """The document, as text to be written in UTF-8."""
    try:
        import jinja2  # noqa: PLC0415  # only this page needs it
        from markupsafe import Markup  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ConfigError(f'page: {error.name} is not installed; pip install "grounding-middleware[report]"') from None
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(lambda name: (_TEMPLATES / name).read_text("utf-8")),
    )
    environment.filters["drawing"] = Markup  # charts alone: drawn by a library that escapes the names in them
    style = (_TEMPLATES / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    document = environment.get_template("page.html.j2").render(page=page, style=Markup(style), style_hash=digest)  # noqa: S704  # our own style sheet
    return document.encode("utf-8", "backslashreplace").decode("utf-8")
