"""The score sheet of a match, which browsers without JavaScript show in place of its replay."""

import re
from html import unescape

import pytest

from arena.language.languages import LANGUAGES
from arena.replay.readable import reader_of
from arena.replay.replay import Replay
from arena.store import Store
from referee.engine.registry import in_units
from tests.replay.replays import GAMES
from tests.server.conftest import Client


def text(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page))


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_sheet_has_the_result_and_every_line_of_the_log(site: Client, store: Store, number: int) -> None:
    match = store.match(49 + number)
    page = site.get(f"/matches/{match.id}/sheet").text
    for place, (name, seat) in enumerate(zip(match.players, match.row.seats, strict=True)):
        score = f"{in_units(match.event.game, seat.score):g}"
        assert re.search(rf'data-seat="{place % 10}">{name}</span></td><td class="number">(<b>)?{score}<', page)
    told = page[page.index('<ol class="told">') :]
    lines = [line for frame in Replay(match).frames() for line in frame.events]
    assert told.count("<li") == len(lines)
    read = reader_of(match).of
    for line in lines[:40]:
        assert read(line) in text(told), line


def test_a_seat_has_a_sheet_of_its_own(site: Client) -> None:
    everything, own = site.get("/matches/1/sheet").text, site.get("/matches/1/sheet?seat=0").text
    assert own.count("is dealt") < everything.count("is dealt")
    assert site.get("/matches/1/sheet?seat=9").status_code == 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_is_in_the_language_of_its_reader(site: Client, language: str) -> None:
    page = site.get(f"/matches/1/sheet?lang={language}").text
    assert f'<html lang="{language}">' in page
    assert ("is dealt" in page) == (language == "en")


def test_a_browser_without_scripts_is_led_from_the_replay_to_the_sheet(public: Client) -> None:
    page = public.get("/matches/1").text
    assert '<noscript><meta http-equiv="refresh" content="0;url=/matches/1/sheet"></noscript>' in page
    assert public.get("/matches/60/sheet").status_code == 403, "its tournament is not over"
