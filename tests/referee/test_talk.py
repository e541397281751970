"""Table talk: who is heard, when, and what of it is recorded."""

from collections.abc import Callable
from typing import Any

import pytest
import trio.testing

from referee.engine.events import history
from referee.v1 import work_pb2

NewTable = Callable[..., Any]


def log(table: Any) -> list[str]:
    (match,) = table.matches
    return history(match.game.lines, match.events(0))


async def test_words_are_heard_just_before_the_move_in_seat_order(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=1, talk=80)
    table.flush()
    a.answer((a.questions()[0].id, "one"), say="  I begin ")
    table.flush()
    b.answer((b.questions()[0].id, "one"), say="second\nline")
    a.answer((a.questions()[0].id, "two"), say="first")
    assert log(table) == [
        "seat 0 says: I begin",
        "seat 0 takes one",
        "seat 0 has 1",
        "seat 0 says: first",
        "seat 1 says: second\\x0aline",
        "seat 0 takes two",
        "seat 0 has 3",
        "seat 1 takes one",
        "seat 1 has 1",
    ]
    (record,) = table.records
    assert [(say.seat, say.ply, say.text) for say in record.says] == [
        (0, 0, "I begin"),
        (0, 1, "first"),
        (1, 2, "second\\x0aline"),
    ]


async def test_words_are_cut_to_what_the_game_hears(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], talk=5)
    table.flush()
    a.answer((a.questions()[0].id, "two"), say="abcdefgh")
    assert log(table)[0] == "seat 0 says: abcd…"


@pytest.mark.parametrize(("talk", "words"), [(0, "hello"), (80, ""), (80, " \n ")])
async def test_nothing_is_recorded_where_nothing_is_heard_or_said(
    talk: int, words: str, new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=1, talk=talk)
    table.flush()
    for bot in (a, a, b):
        bot.answer((bot.questions()[0].id, "one"), say=words)
        table.flush()
    (record,) = table.records
    assert not record.says
    assert not any("says" in line for line in log(table))


async def test_words_with_an_illegal_or_late_answer_are_dropped(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=1.0)
    a, b = table.bot(), table.bot()
    table.match([a, b], size=2, talk=80)
    table.flush()
    a.answer((a.questions()[0].id, "three"), say="trust me")
    table.flush()
    (late,) = b.questions()
    mock_clock.jump(3.0)
    b.answer((late.id, "one"), say="sorry")
    table.flush()
    a.answer((a.questions()[0].id, "one"), say="again")
    b.answer((b.questions()[0].id, "one"))
    (record,) = table.records
    assert len(record.faults) == 2
    assert [(say.seat, say.ply, say.text) for say in record.says] == [(0, 2, "again")]


async def test_any_text_is_the_text_move_with_these_words(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=1, talk=24, text_move="one")
    table.flush()
    start = a.sent[0].turns.starts[0]
    assert (start.text_move, start.text_limit) == ("one", 24)
    a.answer((a.questions()[0].id, " I take\n\n  [4], thanks"), say="not heard")
    table.flush()
    a.answer((a.questions()[0].id, "two"))
    b.answer((b.questions()[0].id, "x" * 30))
    (record,) = table.records
    assert not record.faults
    assert list(record.answers) == [0, 1, 0]
    assert [(say.seat, say.ply, say.text) for say in record.says] == [
        (0, 0, "I take [4], thanks"),
        (1, 2, "x" * 23 + "…"),
    ]


async def test_no_text_at_all_is_no_text_move(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=9, talk=24, text_move="one")
    table.flush()
    a.answer((a.questions()[0].id, ""))
    (match,) = table.matches
    assert [fault.kind for fault in match.record(match.outcome()).faults] == [work_pb2.Fault.KIND_ILLEGAL]


async def test_there_is_room_for_long_texts(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=1, talk=4000, text_move="one")
    table.flush()
    words = "\N{SNOWMAN}" * 4000
    a.answer((a.questions()[0].id, words))
    (match,) = table.matches
    assert [say.text for say in match.record(match.outcome()).says] == [words]
    assert a.player.text_bytes == 16_000
