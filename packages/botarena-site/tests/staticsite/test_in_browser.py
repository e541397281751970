"""A static site in a real browser: from a web server below a path, and from a folder."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.conftest import PATIENCE, Open, browser, database, serve, visit
from tests.server.test_accessible import audited

__all__ = ["browser", "database", "serve", "visit"]  # fixtures

pytestmark = pytest.mark.toolchain

SERVER = """
import http.server, sys
handler = lambda *words: http.server.SimpleHTTPRequestHandler(*words, directory=sys.argv[1])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Path:
    """Return a folder with a site in results/cup."""
    root = tmp_path_factory.mktemp("static")
    command = [sys.executable, "-m", "arena", "site", "1", "--to", str(root / "results" / "cup"), "--matches", "3"]
    told = subprocess.run([*command, "--db", str(database)], capture_output=True, text=True, timeout=600)
    assert told.returncode == 0, told.stderr
    assert "3 replays of" in told.stderr
    return root


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-c", SERVER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()
            process.communicate(timeout=60)


@pytest.fixture(scope="module", params=["http", "file"])
def address(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "file":
        yield f"file://{folder}/results/cup"
        return
    with hosted(folder) as server:
        yield f"{server}/results/cup"


def test_a_visitor_finds_a_replay_and_steps_through_it(visit: Open, address: str) -> None:
    page = visit(f"{address}/index.html")
    page.get_by_role("link", name="Matches").click()
    page.get_by_role("link", name="48", exact=True).click()
    page.wait_for_selector("#table .place")
    page.wait_for_selector("#art-back", state="attached")
    last = page.text_content("#last")
    assert int(last or 0) > 20
    page.fill("#number", "7")
    page.keyboard.press("Enter")
    page.wait_for_url("**#move=7")
    page.select_option("#perspective", "2")
    page.wait_for_url("**seat=2")
    page.click("#more")
    page.click("#verify")
    page.get_by_text("verified").wait_for()
    page.get_by_role("link", name="tournament 1", exact=True).click()
    page.get_by_role("heading", name="Crosstable").wait_for()


def test_the_theme_stays_from_page_to_page(visit: Open, address: str) -> None:
    page = visit(f"{address}/index.html", color_scheme="light")
    page.click("#theme")
    page.get_by_role("link", name="Matches").click()
    page.locator("html[data-theme=dark]").wait_for()


@pytest.mark.parametrize("path", ["index.html", "matches/index.html", "matches/48.html#move=5", "bots/1-a.html"])
def test_a_page_of_a_site_is_accessible(visit: Open, folder: Path, path: str) -> None:
    page = visit(f"file://{folder}/results/cup/{path}", color_scheme="light")
    assert audited(page) == []
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert audited(page) == [], "in the dark"


@pytest.mark.parametrize("path", ["index.html", "matches/index.html", "bots/1-a.html"])
def test_a_page_of_a_site_is_no_wider_than_the_screen(visit: Open, folder: Path, path: str) -> None:
    page = visit(f"file://{folder}/results/cup/{path}")
    for width, height in ((1440, 900), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=PATIENCE)
