"""Bots that get ready for a match before its clock runs, without processes and without waiting (trio's MockClock)."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from referee.match.faults import FaultKind
from referee.v1.play_pb2 import MatchStart, PlayRequest

NewTable = Callable[..., Any]

LOAD = {"wants_ready": True, "ready_time": 10.0}
"""What a bot says that loads something before each match, and how many seconds it has."""


def starts(bot: Any) -> list[MatchStart]:
    """Return the matches that have begun since the last call; questions are left alone."""
    found = [start for response in bot.sent for start in response.turns.starts]
    for response in bot.sent:
        del response.turns.starts[:]
    return found


def is_ready(bot: Any, start: MatchStart | None = None, index: int = 0) -> None:
    """Answer that a bot is ready for a match, by default the one that has begun since the last call."""
    if start is None:
        (start,) = starts(bot)
    request = PlayRequest()
    request.answers.answers.add(question=start.ready_question, index=index)
    bot.say(request)


def faults(match: Any) -> list[tuple[int, int, FaultKind, str]]:
    return [(fault.seat, fault.ply, fault.kind, fault.sentence) for fault in match._faults]


async def time_out(bot: Any) -> None:
    """Let the time limits of a bot run out until its process fails, and report that."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot.player.watch_clock, lambda: None)
        while bot.fault is None:
            await trio.sleep(0.125)
        nursery.cancel_scope.cancel()
    bot.player.process_failed(*bot.fault)


def ready_for_two(table: Any) -> tuple[Any, list[Any]]:
    """Return a bot that was ready for both of its matches and is asked in them, and these."""
    a, b = table.bot(**LOAD), table.bot()
    matches = [table.match([a, b]) for _ in range(2)]
    for _ in matches:
        table.flush()
        is_ready(a)
    table.flush()
    return a, matches


async def test_the_time_to_get_ready_is_not_charged(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b])
    table.flush()
    (start,) = starts(a)
    assert (start.match, start.ready_question, start.ready_time_ms) == (1, 1, 10_000)
    assert not a.questions(), "it is not ready"
    mock_clock.jump(9.5)
    is_ready(a, start)
    table.flush()
    (question,) = a.questions()
    assert (question.id, question.bank_ms, question.charged_us, question.again) == (2, 2000, 0, False)
    mock_clock.jump(0.5)
    a.answer((2, "one"))
    assert match.seats[0].total == pytest.approx(0.5)
    assert not faults(match)
    assert (a.player.getting_ready, b.player.getting_ready) == (pytest.approx(9.5), 0.0), "it is told, though"


async def test_a_bot_that_does_not_ask_for_it_is_not_asked_whether_it_is_ready(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(ready_time=10.0), table.bot(**LOAD)
    table.match([a, b])
    table.flush()
    (start,) = starts(a)
    assert (start.ready_question, start.ready_time_ms) == (0, 0)
    assert [question.id for question in a.questions()] == [1]


async def test_a_bot_gets_ready_for_one_match_at_a_time_and_is_asked_nothing_meanwhile(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0)
    a, b = table.bot(**LOAD), table.bot()
    first = table.match([a, b])
    table.flush()
    is_ready(a)
    table.flush()
    (open_one,) = a.questions()
    second, third = table.match([a, b]), table.match([a, b])
    table.flush()
    assert not a.sent, "it gets ready for nothing while it has a question open"
    mock_clock.jump(0.25)
    a.answer((open_one.id, "one"))
    assert first.seats[0].total == pytest.approx(0.25)
    table.flush()
    (start,) = starts(a)
    b.answer(*((question.id, "one") for question in b.questions()))
    table.flush()
    assert (start.match, a.questions()) == (2, []), "the next question of the first match waits"
    mock_clock.jump(8.0)
    is_ready(a, start)
    table.flush()
    (start,) = starts(a)
    assert (start.match, a.questions()) == (3, [])
    mock_clock.jump(8.0)
    is_ready(a, start)
    table.flush()
    questions = a.questions()
    assert [question.match for question in questions] == [2, 3, 1], "all at once, as they came up"
    mock_clock.jump(0.75)
    a.answer(*((question.id, "two") for question in questions))
    assert [match.seats[0].total for match in (first, second, third)] == pytest.approx([0.5, 0.25, 0.25])
    assert a.player.getting_ready == pytest.approx(16.0)


async def test_a_bot_that_is_not_ready_in_time_hangs_and_plays_the_default_move_there(
    new_table: NewTable, autojump_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b])
    table.flush()
    began = trio.current_time()
    await time_out(a)
    assert trio.current_time() - began == pytest.approx(10.0, abs=0.13)
    assert faults(match) == [(0, 0, FaultKind.HUNG, "it was not ready for the match within 10 s")]
    assert (match.seats[0].strikes, match.seats[0].total, match.state.taken[0]) == (1, 0.0, 1)
    assert a.player.crashes.failures == 1
    assert a.player.getting_ready == pytest.approx(10.0, abs=0.13), "what it wasted is told as well"


async def test_the_limit_to_get_ready_holds_where_answers_have_none(
    new_table: NewTable, autojump_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=0.0)
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b])
    table.flush()
    await time_out(a)
    assert [kind for _, _, kind, _ in faults(match)] == [FaultKind.HUNG]


async def test_a_bot_without_a_limit_gets_ready_for_hours(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(wants_ready=True), table.bot()
    table.match([a, b])
    table.flush()
    (start,) = starts(a)
    mock_clock.jump(5000.0)
    assert start.ready_time_ms == 0
    assert a.player.deadline() is None


async def test_a_bot_that_fails_to_get_ready_before_its_first_question_loses_that(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot(**LOAD)
    match = table.match([a, b])
    table.flush()
    b.player.process_failed(FaultKind.HUNG, "it was not ready")
    assert not faults(match), "it is not asked anything yet"
    fresh = table.again(b)
    a.answer((a.questions()[0].id, "one"))
    assert faults(match) == [(1, 1, FaultKind.HUNG, "it was not ready")]
    assert match.state.taken == [1, 1]
    table.flush()
    a.answer((a.questions()[0].id, "one"))
    table.flush()
    (start,) = starts(fresh)
    assert start.ready_question == 1, "the process that takes over gets ready, too"
    is_ready(fresh, start)
    table.flush()
    (question,) = fresh.questions()
    assert not question.again
    fresh.answer((question.id, "two"))
    assert match.state.taken == [2, 3]
    assert len(faults(match)) == 1


async def test_three_failures_to_get_ready_forfeit_the_seat(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(max_failed_matches=9)
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b], size=20)
    table.flush()
    for _ in range(3):
        assert [start.ready_question for start in starts(a)] == [1]
        a.player.process_failed(FaultKind.CRASH, "it cannot load")
        a = table.again(a)
        b.answer((b.questions()[-1].id, "one"))
        table.flush()
    assert [fault.forfeit for fault in match._faults] == [False, False, True]
    assert [fault.ply for fault in match._faults] == [0, 2, 4]


async def test_a_process_that_takes_over_gets_ready_for_the_matches_that_go_on(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, matches = ready_for_two(table)
    assert len(a.questions()) == 2
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    fresh = table.again(a)
    for _ in matches:
        (start,) = starts(fresh)
        assert not fresh.questions()
        is_ready(fresh, start)
        table.flush()
        (question,) = fresh.questions()
        assert question.again, "one suspect after the other"
        fresh.answer((question.id, "one"))
        table.flush()
    assert [match.state.taken[0] for match in matches] == [1, 1]
    assert not any(faults(match) for match in matches)


async def test_a_suspect_is_asked_again_although_the_next_process_failed_for_another_match(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, matches = ready_for_two(table)
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    table.flush()
    fresh = table.again(a)
    fresh.player.process_failed(FaultKind.CRASH, "it crashed as it got ready")
    assert [len(faults(match)) for match in matches] == [1, 0]
    third = table.again(fresh)
    asked = []
    while found := starts(third):
        is_ready(third, found[0])
        table.flush()
        asked += third.questions()
    assert [question.again for question in asked] == [True]


async def test_a_remote_bot_that_comes_back_gets_ready_again(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b])
    table.flush()
    a.player.lose_connection("the line went dead")
    fresh = table.again(a)
    is_ready(fresh)
    table.flush()
    (question,) = fresh.questions()
    assert not question.again, "it was never asked"
    fresh.answer((question.id, "two"))
    assert match.state.taken[0] == 2
    assert not faults(match)


async def test_the_end_of_a_match_waits_until_a_bot_is_ready_for_it(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(strikes=1)
    a, b = table.bot(), table.bot(**LOAD)
    match = table.match([a, b])
    table.flush()
    match.forfeit(match.seats[1], FaultKind.WITHDRAWN, "an organiser has said so")
    while questions := a.questions():
        a.answer(*((question.id, "two") for question in questions))
        table.flush()
    assert table.records
    (start,) = starts(b)
    assert not b.sent[1:]
    is_ready(b, start)
    table.flush()
    assert [end.match for response in b.sent for end in response.turns.ends] == [1]
    assert b.player.open_questions == 0


async def test_a_failure_to_get_ready_for_a_match_that_is_over_changes_nothing_in_it(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot(**LOAD)
    match = table.match([a, b])
    table.flush()
    match.forfeit(match.seats[1], FaultKind.WITHDRAWN, "an organiser has said so")
    while questions := a.questions():
        a.answer(*((question.id, "two") for question in questions))
        table.flush()
    b.player.process_failed(FaultKind.HUNG, "it was not ready")
    assert [kind for _, _, kind, _ in faults(match)] == [FaultKind.WITHDRAWN]
    assert b.player.crashes.failures == 1


async def test_a_forfeited_seat_gets_no_strike_for_a_failure_to_get_ready(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot(**LOAD)
    match = table.match([a, b])
    table.flush()
    match.forfeit(match.seats[1], FaultKind.WITHDRAWN, "an organiser has said so")
    b.player.process_failed(FaultKind.HUNG, "it was not ready")
    a.answer((a.questions()[0].id, "one"))
    assert match.state.taken == [1, 1], "it was asked meanwhile"
    assert faults(match) == [(1, 0, FaultKind.WITHDRAWN, "an organiser has said so")]


async def test_only_the_index_0_says_that_a_bot_is_ready(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(**LOAD), table.bot()
    match = table.match([a, b])
    table.flush()
    is_ready(a, index=1)
    assert a.fault == (FaultKind.PROTOCOL, "it answered a ready question with something else than the index 0")
    a.player.process_failed(*a.fault)
    assert [(seat, ply, kind) for seat, ply, kind, _ in faults(match)] == [(0, 0, FaultKind.PROTOCOL)]


async def test_a_bot_runs_while_it_gets_ready_where_it_may_not_think_in_the_time_of_others(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    class Cpu:
        runs = False
        measured = 0

        def resume(self) -> None:
            self.runs = True

        def pause(self) -> None:
            self.runs = False

        def measure_delay(self, lag: float = 0.0) -> tuple[float, float]:
            self.measured += 1
            return 0.5, 0.0

        def release(self) -> None:
            pass

    table = new_table(move_time=1.0)
    a, b = table.bot(), table.bot(**LOAD)
    b.player.cpu = cpu = Cpu()
    match = table.match([a, b])
    table.flush()
    assert cpu.runs
    mock_clock.jump(5.0)
    is_ready(b)
    assert not cpu.runs, "it has no question yet"
    assert cpu.measured == 0, "no clock ran, so no delay matters"
    a.answer((a.questions()[0].id, "one"))
    table.flush()
    mock_clock.jump(0.75)
    b.answer((b.questions()[0].id, "one"))
    assert match.seats[1].total == pytest.approx(0.25), "the delay while it got ready excuses nothing later"
