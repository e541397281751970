"""What the live page is given of a match."""

import json
from base64 import b64decode
from dataclasses import replace
from typing import Any
from zlib import decompress

import pytest

from arena.league.run.live_matches import LiveMatch
from arena.server.watch import shown_tables
from arena.server.watch.shown_tables import LIVE_FRAMES, ShownTable, frames_element, live_table, stored_table
from arena.values.rows import BatchEventRow, StoredMatch
from referee.engine.game import Game
from referee.engine.record import pack_answers, unpack_answers
from referee.games.cambio import CAMBIO
from tests import played
from tests.replay.replays import GAMES, stored

ENDED = "2026-03-01T10:00:00+00:00"


def batch_event(match: StoredMatch) -> BatchEventRow:
    return BatchEventRow(league="spring", batch=4, **played._fields(match.event))


def in_batch(game: Game, **more: Any) -> StoredMatch:
    match = stored(game, **more)
    return replace(match, event=batch_event(match))


def unpacked(table: ShownTable) -> Any:
    return json.loads(decompress(b64decode(table.packed)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_stored_match_has_its_frames_and_nothing_private(game: Game) -> None:
    match = in_batch(game)
    table = stored_table(match, ENDED)
    values = unpacked(table)
    assert table.key == f"match {match.id}"
    assert values["players"] == match.players
    assert len(values["asked"]) == len(values["tables"]["scenes"]) <= values["count"]
    assert values["asked"][-1] == []
    assert [rank for rank, _ in values["result"]] == [seat.rank for seat in match.row.seats]
    assert {"legal", "sections"}.isdisjoint(values["tables"])
    text = json.dumps(values)
    for note in match.row.notes:
        assert note.text not in text


def test_a_long_match_is_shown_from_its_last_frames_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_tables, "MOST_FRAMES", 5)
    values = unpacked(stored_table(in_batch(CAMBIO), ENDED))
    assert values["tables"]["first"] == values["count"] - 5
    assert len(values["asked"]) == 5


def test_a_match_is_shown_in_a_time_in_which_it_can_be_followed() -> None:
    table = stored_table(in_batch(CAMBIO), ENDED)
    values = unpacked(table)
    steps = sum(1 + len(events) for events in values["tables"]["between"])
    assert table.seconds == pytest.approx(steps / values["rate"] + shown_tables.RESULT_SECONDS)
    assert shown_tables.SLOWEST <= values["rate"] <= shown_tables.QUICKEST


def live(match: StoredMatch, count: int, *, is_over: bool = False) -> LiveMatch:
    answers = pack_answers(unpack_answers(match.row.answers)[:count])
    row = replace(match.row, answers=answers, times=b"", notes=(), faults=(), says=())
    return LiveMatch(1, 4, 2, row, is_over, is_last=True)


def test_a_match_under_way_has_its_newest_frames_and_no_result() -> None:
    match = in_batch(CAMBIO)
    event = batch_event(match)
    values = unpacked(live_table(event, live(match, 3)))
    assert values["count"] == 4
    assert values["asked"][-1], "somebody is to move"
    assert "result" not in values
    everything = live_table(event, live(match, 10**6, is_over=True))
    assert everything.key == f"live 4 2 {match.row.number}"
    whole = unpacked(everything)
    assert len(whole["asked"]) == min(whole["count"], LIVE_FRAMES)
    assert len(whole["result"]) == len(match.players)


def test_an_element_hands_over_what_a_table_shows() -> None:
    table = stored_table(in_batch(CAMBIO), ENDED)
    text = str(frames_element(2, table))
    assert 'id="watch-2"' in text
    assert f'data-match="{table.match}"' in text
    assert 'data-ended="1772359200000"' in text
    assert table.packed in text
    assert 'data-key=""' in str(frames_element(0, None))
