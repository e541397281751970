"""The looks of pages, held against reference pictures in tests/server/pictures.

The pictures are an eighth as wide as the page: fonts of another machine make no difference, another layout or colour
does. After a change that is meant, look at the pages, then make the pictures again:

    UPDATE_PICTURES=1 .venv/bin/pytest -m toolchain tests/server/test_pictures.py
"""

import os
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Open

pytestmark = pytest.mark.toolchain

PICTURES = Path(__file__).parent / "pictures"
COMPARE = (Path(__file__).parent / "pictures.js").read_text("utf-8")
RESTYLE = """style => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
}"""
SHRUNK = 8
TOLERANCE = 0.004
"""The share of pixels that may differ: a line of text that is broken elsewhere."""

LOOKS = [(1440, 900, "light"), (1280, 720, "dark"), (390, 844, "light")]
PAGES = {
    "tournaments": "/",
    "tournament": "/tournaments/1",
    "matches": "/matches?tournament=1",
    "replay": "/matches/1#move=41",
    "replay-seat": "/matches/1#move=41&seat=2",
    "missing": "/tournaments/99",
}


def look(page: Any, url: str, width: int, height: int, theme: str, style: str = "") -> str:
    """Show a page; return its screenshot in base64."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto("about:blank")
    page.goto(url)
    if "/matches/" in url:
        page.wait_for_function("() => document.querySelector('#log > [aria-current]')")
    page.wait_for_load_state("networkidle")
    if style:
        page.evaluate(RESTYLE, style)
    return b64encode(page.screenshot()).decode()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_in_its_picture(visit: Open, address: str, name: str) -> None:
    page = visit("about:blank", refused=404 if name == "missing" else None)
    if name == "tournament":  # its telling matches are looked for once somebody has asked for the page
        page.goto(f"{address}{PAGES[name]}")
        page.wait_for_selector(".telling li")
    for width, height, theme in LOOKS:
        shot = look(page, f"{address}{PAGES[name]}", width, height, theme)
        file = PICTURES / f"{name}-{width}-{theme}.png"
        known = b64encode(file.read_bytes()).decode() if file.exists() else None
        now, differing = page.evaluate(COMPARE, [shot, known, width // SHRUNK])
        if os.environ.get("UPDATE_PICTURES"):
            file.write_bytes(b64decode(now))
        else:
            assert differing <= TOLERANCE, f"{name} at {width}x{height}: {differing:.1%} of the picture have changed"


@pytest.mark.parametrize(
    "style",
    [
        ".sheet { margin-left: 24px }",
        ".sheet { background: pink }",
        ".wide td { padding: .6rem }",
        "h1 { font-size: 2.5rem }",
    ],
)
def test_another_look_is_found(visit: Open, address: str, style: str) -> None:
    page = visit("about:blank")
    shot = look(page, f"{address}{PAGES['tournament']}", 1440, 900, "light", style)
    known = b64encode((PICTURES / "tournament-1440-light.png").read_bytes()).decode()
    _, differing = page.evaluate(COMPARE, [shot, known, 1440 // SHRUNK])
    assert differing > TOLERANCE
