"""Cards, dice, chips and tokens in a real browser: on replay pages, in files, on the page to play, and in all sizes."""

from pathlib import Path
from typing import Any

import pytest

from arena.replay import document
from arena.store import open_store
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from referee.games.perudo import PERUDO
from referee.games.scopa import SCOPA
from tests.replay.replays import GAMES, replay
from tests.server.conftest import Open, Serve
from tools.contact_sheet import FACES, sheet

pytestmark = pytest.mark.toolchain

DRAWN = "() => document.querySelector('svg.art') && document.querySelector('#table use')"

OUTSIDE = """() => {
  // What is not drawn, or sticks out of its item, by more than a pixel for the width of lines.
  const wrong = [];
  const shown = (part) => [part, part.parentElement].every((each) => getComputedStyle(each).display !== "none");
  for (const item of document.querySelectorAll(".card, .back, .die, .chip, .token")) {
    const frame = item.getBoundingClientRect();
    const parts = [...item.querySelectorAll("use, text")].filter(shown);
    if (!parts.some((part) => part.matches("use"))) wrong.push(`nothing is drawn: ${item.title}`);
    for (const part of parts) {
      const box = part.getBoundingClientRect();
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1
        && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      if (!box.width || !box.height) wrong.push(`empty: ${part.outerHTML} of ${item.title}`);
      else if (!inside && part.matches("use")) wrong.push(`sticks out: ${part.outerHTML} of ${item.title}`);
    }
  }
  return wrong;
}"""


def kinds(page: Any) -> set[str]:
    """Return what lies on the table, once it is drawn; each must be drawn whole."""
    page.wait_for_function(DRAWN)
    assert page.evaluate(OUTSIDE) == []
    return {kind for kind in ("card", "back", "die", "chip", "token") if page.locator(f"#table .{kind}").count()}


@pytest.mark.parametrize(("game", "expected"), [(CAMBIO, "card"), (SCOPA, "card"), (PERUDO, "die")])
def test_items_are_drawn_on_a_replay_page(visit: Open, address: str, game: Game, expected: str) -> None:
    page = visit(f"{address}/matches/{49 + GAMES.index(game)}#move=3")
    assert expected in kinds(page)


@pytest.mark.parametrize(("game", "expected"), [(CAMBIO, "card"), (SCOPA, "card"), (PERUDO, "die")])
def test_items_are_drawn_in_a_file(visit: Open, tmp_path: Path, game: Game, expected: str) -> None:
    file = tmp_path / "match.html"
    file.write_text(document.page(replay(game), [None]), "utf-8")
    assert expected in kinds(visit(f"{file.as_uri()}#move=3"))


def test_items_are_drawn_on_the_page_to_play(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "played.db"
    open_store(path, create=True).close()
    page = visit(f"{serve(path)}/play/cambio")
    page.click("button.main")
    page.wait_for_selector("#table .card")
    assert {"card", "back"} <= kinds(page)
    page.click("#leave")
    page.wait_for_url("**/play")


def test_a_card_without_drawings_still_has_its_index(visit: Open, address: str) -> None:
    page = visit("about:blank")
    page.route("**/*.svg?*", lambda route: route.fulfill(status=200, body=""))
    page.goto(f"{address}/matches/{49 + GAMES.index(CAMBIO)}")
    page.wait_for_selector("#table .card")
    card = page.locator("#table .card").first
    index = card.locator(".index").first
    assert index.text_content().replace("−", "-") == card.get_attribute("title").split(",")[0]
    assert index.bounding_box()["height"] > 8


@pytest.mark.parametrize("width", [24, 200])
def test_every_face_is_drawn_within_its_item_and_looks_like_no_other(visit: Open, width: int) -> None:
    page = visit("about:blank", viewport={"width": 1300, "height": 6000})
    page.set_content(sheet([(FACES, width)]))
    assert page.evaluate(OUTSIDE) == []
    items = page.locator(".shown > *").all()
    pictures = {item.screenshot() for item in items}
    assert len(items) == len(pictures) == len(FACES)
