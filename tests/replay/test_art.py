"""The drawings of cards, dice, chips and tokens: every face that a renderer produces has one of its own."""

import re
from xml.etree import ElementTree

import pytest

from arena.replay import static
from arena.replay.renderer import art
from arena.replay.scene import TableItem
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay
from tools.contact_sheet import ABRUZZO, CUCKOO, FACES, ITALIAN, PIECES

SUITS = ("coins", "cups", "swords", "clubs")
PACKS = {"scopa": ITALIAN, "perudo": [], "cucu": [*CUCKOO, *ABRUZZO], "lustu": [*CUCKOO, *ABRUZZO]}
"""The cards of each game that has others than the cuckoo pack."""


def parts(sheet: str) -> dict[str, str]:
    """Return the drawings of a sheet by id, without their ids."""
    elements = ElementTree.fromstring(static.text(sheet)).iter()
    named = [(element.attrib.pop("id"), element) for element in elements if "id" in element.attrib]
    found = {id: ElementTree.tostring(element, "unicode").strip() for id, element in named}
    assert len(found) == len(named)
    return found


def drawings(item: TableItem) -> tuple[str, ...]:
    """Return the ids of the drawings that `faces.js` uses for an item."""
    match item.kind:
        case "card" if item.tone in SUITS:
            names: tuple[str, ...] = (item.face, item.tone)
        case "card" if item.tone == "number":
            names = (f"number-{item.face}", "egg")
        case "card":
            names = (item.name,)
        case "die":
            names = (f"die-{item.face}",)
        case "chips":
            names = ("chip",)
        case "text":
            names = ()
        case kind:
            names = (kind,)
    return tuple(f"art-{name}" for name in names)


def shown(game: Game) -> set[TableItem]:
    """Return the items on the tables of a match, as everybody together and as seat 1 knew it."""
    scenes = [replay(game).scene(number, seat) for seat in (None, 1) for number in range(replay(game).count(seat))]
    zones = [
        zone for scene in scenes for part in (scene.middle, *(place.zones for place in scene.places)) for zone in part
    ]
    return {TableItem(item.kind, item.face, item.name, item.tone) for zone in zones for item in zone.items}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_item_of_a_game_is_drawn_in_its_sheets(game: Game) -> None:
    ids = {id for sheet in art(game.name) for id in parts(sheet)}
    items = shown(game)
    assert items
    assert {item for item in items if item.kind == "card"} <= set(PACKS.get(game.name, CUCKOO))
    for item in (*items, *PACKS.get(game.name, CUCKOO)):
        assert ids.issuperset(drawings(item)), item


def test_every_face_has_drawings_of_its_own() -> None:
    content = {id: text for sheet in static.ART for id, text in parts(sheet).items()}
    faces = {tuple(content[id] for id in drawings(item)) for item in FACES}
    assert len(faces) == len(FACES) == len(CUCKOO) + len(ABRUZZO) + len(ITALIAN) + len(PIECES)


def test_a_game_that_is_not_installed_needs_no_drawings() -> None:
    assert art("nonesuch") == ()


@pytest.mark.parametrize("sheet", static.ART)
def test_a_sheet_is_small_and_uses_only_itself(sheet: str) -> None:
    text = static.text(sheet)
    assert len(text) < 25_000
    assert not re.search(r"<style|<script|\bstyle=|\bon\w+=|url\(|<text", text), "a policy of the pages would refuse it"
    assert set(re.findall(r'href="([^"]*)"', text)) <= {f"#{id}" for id in parts(sheet)}


def test_ids_are_unique_in_a_page_that_holds_all_sheets() -> None:
    ids = [id for sheet in static.ART for id in parts(sheet)]
    assert len(ids) == len(set(ids))
    assert all(id.startswith("art-") for id in ids)
