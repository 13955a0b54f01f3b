"""The page in a real headless Chromium: it loads fast, asks for nothing, and can be read on every medium."""

from __future__ import annotations

import http.server
import itertools
import os
import shutil
import statistics
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from grounding_middleware.evaluation.page.making import write_page

HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
ANSWERS = 1000
LOAD_MS = 2000
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
CONTRAST = 4.5  # WCAG AA for text of ordinary size


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium, empty profile. Where there is none the tests fail: what was not run is not shown to work."""
    found = os.environ.get("GROUNDING_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("no Chromium found: run make browser, or set GROUNDING_BROWSER to one", pytrace=False)
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="module")
def document(
    made_answers: Callable[..., Any], write_run: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The page of a run of 1,000 answers with two runs before it."""
    runs = [
        write_run(made_answers(ANSWERS, seed, misses=misses), f"run-{seed}", day=10 - seed)
        for seed, misses in ((1, 0.1), (2, 0.2), (3, 0.15))
    ]
    page = tmp_path_factory.mktemp("page") / "page.html"
    write_page(runs[0], runs[1:], page)
    return page


@pytest.fixture
def opened(browser: Browser, document: Path) -> Iterator[Callable[..., Page]]:
    """`opened(width=360, color_scheme="dark")` is the page in a window of its own."""
    contexts = []

    def open_page(width: int = 1200, address: str = "", **options: Any) -> Page:
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        page = contexts[-1].new_page()
        page.goto(address or document.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_loads_in_time(opened: Callable[..., Page], document: Path) -> None:
    """A run of 1,000 answers is a page of less than 2 MB whose load event is over within two seconds.

    Measured in a tab that is open already: starting a browser process says nothing about the page.
    """
    assert document.stat().st_size < 2_000_000
    page, measured = opened(address="about:blank"), []
    for _ in range(3):
        page.goto(document.as_uri())
        measured.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert all(measured)
    assert statistics.median(measured) < LOAD_MS


@pytest.fixture
def served(document: Path) -> Iterator[str]:
    """The page over HTTP, where a browser would also ask for an icon."""
    asked = partial(_Quiet, directory=str(document.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), asked) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{document.name}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_asks_for_nothing_and_complains_about_nothing(browser: Browser, document: Path, served: str) -> None:
    """One request, for the page itself, from a file and over HTTP; no message, warning or error in the console."""
    for address in (document.as_uri(), served):
        page = browser.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.goto(address, wait_until="networkidle")
        page.mouse.wheel(0, 20_000)
        page.emulate_media(color_scheme="dark")
        page.emulate_media(media="print")
        assert (asked, said) == ([address], [])
        page.close()


def test_the_policy_of_the_page_would_refuse_a_request(opened: Callable[..., Page]) -> None:
    """The Content-Security-Policy is in force: scripts, foreign images and connections are refused."""
    page = opened()
    page.evaluate((HERE / "forbidden.js").read_text("utf-8"))
    page.wait_for_function("window.refused.length >= 3")
    assert set(page.evaluate("window.refused")) == {"script-src-elem", "img-src", "style-src-attr"}
    assert page.evaluate("window.ran") is None


def test_hostile_texts_do_nothing(opened: Callable[..., Page], hostile_run: Path, tmp_path: Path) -> None:
    """A run full of markup neither runs nor loads anything, and does not break the layout of a phone."""
    write_page(hostile_run, (hostile_run,), tmp_path / "page.html")
    page = opened(360)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto((tmp_path / "page.html").as_uri(), wait_until="networkidle")
    assert said == []
    assert page.locator("script, img, [style], [onerror]").count() == 0
    assert page.title().startswith("Grounding report: </style></title><script>")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_nothing_is_wider_than_the_screen(opened: Callable[..., Page]) -> None:
    """Tables scroll within themselves; the page never scrolls sideways, in light or in dark."""
    page = opened()
    for width, scheme in itertools.product((360, 768, 1200), SCHEMES):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, scheme)
        assert page.evaluate((HERE / "beyond.js").read_text("utf-8"), width) == [], (width, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_has_contrast(opened: Callable[..., Page], scheme: str) -> None:
    """All texts, those in charts too, stand out from what is behind them, in light and in dark."""
    page = opened(color_scheme=scheme)
    texts = page.evaluate((HERE / "contrast.js").read_text("utf-8"))
    assert len(texts) > 100
    assert texts[0][0] >= CONTRAST, texts[:3]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is (scheme == "light")


def test_prints(opened: Callable[..., Page]) -> None:
    """On paper it is light, several pages long, and no table is cut off at the right."""
    page = opened(width=718, color_scheme="dark")  # A4 at 96 dots an inch, without margins of 10 mm
    printed = page.pdf(format="A4", print_background=True)
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") > 2
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.evaluate("""() => [...document.querySelectorAll('.scroll')]
        .filter(one => one.querySelector('table').getBoundingClientRect().right > innerWidth + 1)
        .map(one => one.getAttribute('aria-label'))""")
    assert cut == []


def test_keyboard_and_screen_reader_find_their_way(opened: Callable[..., Page]) -> None:
    """Landmarks, headings without gaps, header cells with a scope, drawings told in a sentence, a way past the list."""
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1  # type: ignore[arg-type]
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert page.locator("th:not([scope]), table:not(:has(caption)), svg:not([role=img] svg), script").count() == 0
    assert page.locator("[role=img][aria-label]").count() == page.locator("svg").count() > 2
    assert page.locator(".scroll[tabindex='0'][role=region][aria-label]").count() == page.locator("table").count()
    dead = page.evaluate("""() => [...document.querySelectorAll('a')]
        .map(one => one.getAttribute('href')).filter(one => !document.querySelector(one))""")
    assert dead == []
