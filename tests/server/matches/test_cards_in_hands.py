"""Cards in hands, in a real browser: each is told by what is seen of it, and moves say which card they play."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.store import open_store
from referee.engine import registry
from tests import played
from tests.server.conftest import Open, Serve
from tools.serving import served

pytestmark = pytest.mark.toolchain

GAMES = ("kille", "coch", "zifuli")
"""Games whose hands lie alone before their seats."""

INDEXES = """() => {
    const parts = [];
    for (const items of document.querySelectorAll(".place [data-zone=hand] .items")) {
        const cards = [...items.children];
        cards.forEach((card, n) => {
            const index = card.querySelector(".index").getBoundingClientRect();
            const next = cards[n + 1] ? cards[n + 1].getBoundingClientRect().left : Infinity;
            parts.push((Math.min(index.right, next) - index.left) / index.width);
        });
    }
    return parts;
}"""
"""The part of each card's index in all hands that no other card covers."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a match of each of GAMES, in that order."""
    path = tmp_path_factory.mktemp("hands") / "arena.db"
    with open_store(path, create=True) as store:
        for name in GAMES:
            game = registry.game(name)
            row = played.match(game, seats=game.recommended, bots=game.recommended)
            store.add_single(played.tournament(game, bots=game.recommended, matches=1), row)
    with served(path) as server:
        yield server.address


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 0.95), (1280, 720, 0.65), (390, 844, 0.7)])
@pytest.mark.parametrize("number", range(len(GAMES)), ids=GAMES)
def test_the_index_of_every_card_in_a_hand_is_seen(
    visit: Open, address: str, number: int, width: int, height: int, least: float
) -> None:
    page = visit(f"{address}/matches/{number + 1}#move=8", viewport={"width": width, "height": height})
    page.wait_for_selector("#log > [aria-current]", state="attached")
    parts = page.evaluate(INDEXES)
    assert len(parts) > 8
    assert min(parts) >= least


def test_a_move_says_which_card_it_plays(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "played.db"
    open_store(path, create=True).close()
    page = visit(f"{serve(path)}/play/scopa")
    page.click("button.main")
    page.wait_for_selector("#moves button:not([disabled])")

    def words(button: Any) -> str:
        number, text = button.locator("kbd").text_content(), button.text_content()
        return str(text).removeprefix(f"{number}play ").partition(" and take ")[0]

    told = {words(button) for button in page.locator("#moves button").all()}
    cards = {card.get_attribute("title") for card in page.locator(".card-move > .card").all()}
    assert told == cards
    page.click("#leave")
    page.wait_for_url("**/play")
