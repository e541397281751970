"""A replay in a frame of another page, and links to a move: headers, and both in a real browser."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from share.test_share import UNDER_WAY

from arena.server.requests.middleware import HEADERS
from tests.server.conftest import Client, Open

OTHERS = (
    *("/", "/matches", "/matches/1", "/matches/1/picture.svg", "/matches/1/story", "/static/icon.svg"),
    *("/embed/matches/99999", f"/embed/matches/{UNDER_WAY}", "/embed/", "/embedded", "/api/v1/matches/1"),
)


def test_only_the_replays_below_embed_may_be_framed(public: Client) -> None:
    framed = public.get("/embed/matches/1")
    assert framed.status_code == 200
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "form-action 'none'" in framed.headers["content-security-policy"]
    assert "x-frame-options" not in framed.headers
    assert "<nav" not in framed.text
    for address in OTHERS:
        answer = public.get(address, accept="*/*")
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, address


def test_a_match_under_way_is_framed_by_nobody(public: Client, site: Client) -> None:
    assert public.get(f"/embed/matches/{UNDER_WAY}").status_code == 403
    assert site.get(f"/embed/matches/{UNDER_WAY}").status_code == 200


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """Serve a folder as another site, whose page is index.html."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.toolchain
def test_another_site_shows_a_match_from_a_move_on(
    browser: object, address: str, elsewhere: str, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(
        f'<!DOCTYPE html><iframe src="{address}/embed/matches/1#move=41" width="800" height="500"></iframe>'
        f'<iframe src="{address}/matches/1"></iframe>'
    )
    page = browser.new_page()  # type: ignore[attr-defined]
    page.goto(f"{elsewhere}/index.html")
    frame = page.frame_locator("iframe").nth(0)
    frame.locator(".place .who").first.wait_for()
    assert frame.locator("#number").input_value() == "41"
    frame.locator("#step").click()
    frame.locator("h1 a[href*='move=4']").wait_for()
    assert not frame.locator(".side").is_visible()
    assert frame.locator("h1 a").get_attribute("target") == "_blank"
    assert page.frame_locator("iframe").nth(1).locator(".place").count() == 0
    page.close()


@pytest.mark.toolchain
def test_a_link_to_a_move_names_it_in_its_query_and_leads_there(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1?move=41&seat=2", permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_function("() => document.querySelector('#log > [aria-current]')")
    assert (page.input_value("#number"), page.input_value("#perspective")) == ("41", "2")
    page.keyboard.press("l")
    page.wait_for_function("() => document.querySelector('#search-result').textContent")
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/matches/1?move=41&seat=2"
    page.click("#more")
    page.click("#copy-frame")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('<iframe')")
    assert f'src="{address}/embed/matches/1#move=41&amp;seat=2"' in page.evaluate("navigator.clipboard.readText()")
