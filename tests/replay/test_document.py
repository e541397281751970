"""A replay as one file: its contents, what it leaves out, and that no text in it becomes markup."""

import json
import re
from dataclasses import replace
from gzip import compress
from html import unescape

import pytest

from arena.replay import document, static
from arena.replay.html import raw, tag
from arena.replay.renderer import art, table_scripts
from arena.replay.replay import Replay
from referee.engine import registry
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from tests.packed import unpacked
from tests.replay.replays import GAMES, replay, stored

SCRIPTS = (*static.FIRST, *static.TABLE, *static.PLAYER)

EVIL = '</script><img src=x onerror=alert(1)><!--"&'


def data(page: str) -> dict[str, object]:
    """Return the JSON data of a page."""
    held: dict[str, object] = json.loads(unpacked(page))
    return held


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_file_for_one_seat_contains_only_what_that_seat_knew(game: Game) -> None:
    page = document.page(replay(game), [1])
    held = data(page)
    assert set(held["perspectives"]) == {"1"}  # type: ignore[call-overload]
    assert set(held["outputs"]) == {"1"}  # type: ignore[call-overload]
    text = unpacked(page)
    assert "positions" not in text
    assert {int(seat) for seat in re.findall(r"thought \d+ of seat (\d+)", text)} == {1}
    assert not re.search(r"thought \d+ of seat", page)
    assert "printed by seat 1" in text
    assert "printed by seat 0" not in text


def test_a_file_of_a_long_match_has_at_most_300_kilobytes() -> None:
    long = replay(registry.game("scopa"))
    page = document.page(long, [None, *range(long.seats)])
    assert len(unpacked(page)) > 1_000_000
    assert len(page.encode()) < 300_000


def test_a_file_of_the_whole_match_contains_all_perspectives() -> None:
    held = data(document.page(replay(CAMBIO), [None, *range(6)]))
    assert set(held["perspectives"]) == {"all", *"012345"}  # type: ignore[call-overload]


def test_a_file_loads_nothing() -> None:
    page = document.page(replay(CAMBIO), [0])
    assert "default-src 'none'" in unescape(page)
    assert not re.search(r"""(src|href)=["'](?!#)|@import|url\(""", page)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_text_of_bots_never_becomes_markup() -> None:
    match = stored(CAMBIO)
    entrants = tuple(replace(bot, name=EVIL) for bot in match.event.entrants)
    notes = tuple(note._replace(text=EVIL) for note in match.row.notes)
    outputs = {seat: replace(output, text=EVIL) for seat, output in match.outputs.items()}
    match = replace(
        match,
        event=replace(match.event, entrants=entrants),
        row=replace(match.row, notes=notes),
        outputs=outputs,
    )
    page = document.page(Replay(match), [None, 0])
    assert "<img" not in page
    assert page.count("</script>") == 1 + len(SCRIPTS)
    assert data(page)["outputs"]["0"]["text"] == EVIL  # type: ignore[index]


def test_a_board_is_drawn_only_where_a_game_has_one() -> None:
    assert not any(static.BOARD in table_scripts(game.name) for game in GAMES)


def test_scripts_set_no_markup() -> None:
    for name in (*SCRIPTS, static.BOARD):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(", static.text(name)
        )


def test_text_and_attributes_are_escaped() -> None:
    assert str(tag("p", {"title": EVIL, "hidden": True, "class": None, "id": False}, "<b>", 3, None, [tag("i")])) == (
        '<p title="&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&lt;!--&quot;&amp;" hidden>&lt;b&gt;3<i></i></p>'
    )


@pytest.mark.parametrize("content", ["a</script>b", "a</SCRIPT>b", "<!-- a"])
def test_a_script_that_would_end_early_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match="cannot stand inside"):
        raw("script", {}, content)


def test_the_page_without_its_match_is_small() -> None:
    for names, most in ((static.STYLES, 11_300), (SCRIPTS, 26_800)):
        assert len(compress("\n".join(map(static.text, names)).encode(), 9)) < most
    for game in GAMES:
        assert sum(len(static.text(name)) for name in art(game.name)) < 25_000, (
            "pictures, which pages load by themselves"
        )
