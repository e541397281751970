"""Scenes as characters: complete, never too wide, and brief if there is little room."""

import pytest
from rich.text import Text

from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from arena.replay.terminal.glyphs import boxed, flow, inline
from arena.replay.terminal.table_view import TableContext, table_lines
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay

WIDTH = 80
ROOM = 14
"""The lines of the table on a terminal of 80x24."""


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


def look(game: Game, number: int, seat: int | None = None) -> TableContext:
    film = replay(game)
    return TableContext(film.match.players, film.frames(seat)[number].asked, seat, seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [None, 1])
def test_every_scene_is_complete_in_80_columns(game: Game, seat: int | None) -> None:
    film = replay(game)
    for number in range(0, len(film.frames(seat)), 7):
        scene = film.scene(number, seat)
        lines = table_lines(scene, look(game, number, seat), WIDTH, ROOM)
        assert max(line.cell_len for line in lines) <= WIDTH
        drawn = " ".join(plain(lines).split())
        for place in scene.places:
            assert film.match.players[place.seat] in drawn
            assert all(f"{fact.label} {fact.value}" in drawn for fact in place.facts)
        cards = [item for zone in _zones(scene) for item in zone.items if item.kind in ("card", "die")]
        for face in {item.face for item in cards if item.tone != "skull"}:
            assert drawn.count(face) >= sum(item.face == face for item in cards)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_table_of_every_game_fits_a_terminal_of_80_by_24(game: Game) -> None:
    film = replay(game)
    heights = [
        len(table_lines(film.scene(number), look(game, number), WIDTH, ROOM))
        for number in range(0, len(film.frames()), 5)
    ]
    assert sum(height <= ROOM for height in heights) >= 0.9 * len(heights)


def _zones(scene: Scene) -> list[Zone]:
    return [*scene.middle, *(zone for place in scene.places for zone in place.zones)]


PILE = Zone("pile", (TableItem("back", count=9),), small=True)
TRICK = Zone("trick", (TableItem("card", "12", "cat", "high", mark="seat 1"),))
HAND = Zone("hand", (TableItem("card", "3"), TableItem("card", "-4", "fool", "low")))
DICE = Zone("dice", (TableItem("cup"), TableItem("die", "1", "skull", "skull")))
ANN = TablePlace(0, (HAND,), (Fact("chips", "5"),))
BOB = TablePlace(1, (Zone("hand", (TableItem("back"),)), DICE), badges=("dealer",), out=True)
SCENE = Scene("round 2", (PILE, TRICK), (ANN, BOB))


def test_with_room_there_are_boxes_with_names() -> None:
    lines = table_lines(SCENE, TableContext(("ann", "bob"), (0,)), 40, 14)
    assert (
        plain(lines)
        == """\
round 2  pile [▒▒] 9
      ╭──────╮
trick │12 cat│
      ╰seat 1╯
▶0 ann ───────────────────────── chips 5
╭──╮╭───────╮
│ 3││-4 fool│
╰──╯╰───────╯
×1 bob
╭──╮╭──╮╭─────╮
│▒▒││ ?││skull│
╰──╯╰──╯╰─────╯
dealer"""
    )


def test_with_less_room_there_are_columns_and_then_single_lines() -> None:
    narrow = table_lines(SCENE, TableContext(("ann", "bob"), (1,), perspective=0), 60, 9)
    assert narrow[4].plain == "◇0 ann ────────────── chips 5  ▶1 bob"
    brief = table_lines(SCENE, TableContext(("ann", "bob"), (), chosen=0), 60, 5)
    assert (
        plain(brief)
        == """\
round 2  pile [▒▒] 9  trick [12 cat] seat 1
 0 ann (m) ───────────────────────────────────────── chips 5
hand [3] [-4 fool]
×1 bob
hand [▒▒]  dice [?] [skull]  dealer"""
    )
    assert len(table_lines(SCENE, TableContext(("ann", "bob")), 60, 1)) == 4


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (TableItem("card", "C7", "7 of coins", "coins"), "[C7]"),
        (TableItem("chips", "12", "box"), "● 12"),
        (TableItem("token", name="token"), "◉"),
        (TableItem("die", "5", "five", count=3, mark="seat 1"), "3 × [5] seat 1"),
        (TableItem("text", "seat 2 shares"), "seat 2 shares"),
        (TableItem("back", name="face down", count=30), "[▒▒] 30"),
    ],
)
def test_items_in_one_line(item: TableItem, text: str) -> None:
    assert inline(item, named=True).plain == text
    assert len({line.cell_len for line in boxed(item, named=True)}) == 1


def test_wide_letters_of_a_bots_name_do_not_break_the_table() -> None:
    scene = Scene("", (), (TablePlace(0, facts=(Fact("chips", "5"),)), TablePlace(1)))
    lines = table_lines(scene, TableContext(("熊猫" * 20, "[bold]x[/]")), 30, 9)
    assert max(line.cell_len for line in lines) <= 30
    assert "[bold]x[/]" in plain(lines)


def test_a_style_ends_with_its_part() -> None:
    (line,) = flow([Text("a", "reverse"), Text("b")], 9)
    assert (line.style, [(span.start, span.end) for span in line.spans]) == ("", [(0, 1)])


def test_wide_tables_have_places_side_by_side() -> None:
    places = tuple(TablePlace(seat, (HAND,), (Fact("chips", "3"),)) for seat in range(4))
    lines = plain(table_lines(Scene("round 1", (), places), TableContext("abcd"), 106, 34)).splitlines()
    assert any("0 a" in line and "1 b" in line for line in lines)
    assert not any("0 a" in line and "2 c" in line for line in lines)
    assert max(map(len, lines)) <= 106


def test_cards_are_tall_where_there_is_room() -> None:
    scene = Scene("round 1", (), (TablePlace(0, (HAND, DICE)),))
    assert plain(table_lines(scene, TableContext("a"), 60, 20)).splitlines()[2:] == [
        " 0 a",
        "╭──────╮╭──────╮╭──────╮╭──────╮",
        "│3     ││-4    ││      ││      │",
        "│      ││ fool ││  ?   ││skull │",
        "│     3││    -4││      ││      │",
        "╰──────╯╰──────╯╰──────╯╰──────╯",
    ]
    low = plain(table_lines(scene, TableContext("a"), 60, 6)).splitlines()
    assert len(low) <= 6
