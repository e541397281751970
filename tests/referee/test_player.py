"""The service clock, faults and crash attribution, without processes and without waiting (trio's MockClock)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

import referee.match.match
from referee.engine.events import text
from referee.engine.record import time_bounds
from referee.match.faults import FaultKind
from referee.match.match import Clock
from referee.process.bot_process import FAILED_STARTS
from referee.session import inbox
from referee.session.inbox import ANSWERED_EARLY, SPARE_BURST, SPARE_BYTES_PER_SECOND, STRAYS
from referee.session.player import USELESS_SECONDS
from referee.v1.play_pb2 import PlayRequest
from referee.v1.work_pb2 import Fault
from referee.wire import ANSWER_BYTES

NewTable = Callable[..., Any]


def kinds(match: Any) -> list[FaultKind]:
    return [fault.kind for fault in match._faults]


def charged(match: Any, seat: int) -> float:
    return float(match.seats[seat].total)


async def test_a_match_between_two_bots_is_recorded(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=3)
    table.flush()
    (first,) = a.questions()
    assert list(first.legal) == ["one", "two"]
    a.answer((first.id, "one"))
    table.flush()
    (second,) = b.questions()
    b.answer((second.id, "two"))
    table.flush()
    a.answer((a.questions()[0].id, "one"))
    assert not table.records, "the other sealed answer is missing"
    b.answer((b.questions()[0].id, "two"))
    (record,) = table.records
    assert record.answers == bytes([0, 1, 0, 1])
    assert (list(record.scores), list(record.ranks)) == ([2, 4], [2, 1])
    assert list(record.decisions) == [2, 2]
    table.flush()
    assert [list(end.scores) for response in a.sent for end in response.turns.ends] == [[2, 4]]


async def test_answers_of_one_message_share_the_time_it_took(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0)
    a, b = table.bot(), table.bot()
    first, second, third = (table.match([a, b]) for _ in range(3))
    table.flush()
    one, two, three = a.questions()
    mock_clock.jump(0.6)
    a.answer((one.id, "one"), (two.id, "one"))
    assert charged(first, 0) == pytest.approx(0.3)
    assert charged(second, 0) == pytest.approx(0.3)
    mock_clock.jump(0.5)
    a.answer((three.id, "one"))
    assert charged(third, 0) == pytest.approx(0.5), "the clock started again with the last valid answers"


async def test_a_record_has_the_time_of_each_answer(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b], size=3)
    for bot, seconds in ((a, 0.25), (b, 0.004), (a, 2.0), (b, 1.0)):
        table.flush()
        mock_clock.jump(seconds)
        bot.answer((bot.questions()[0].id, "two" if bot is a else "one"))
    (record,) = table.records
    times = (250_000, 4_000, 2_000_000, 3_000_000)
    bounds = list(map(time_bounds, record.times))
    assert all(least <= time <= most for (least, most), time in zip(bounds, times, strict=True)), bounds


async def test_an_idle_process_is_not_charged(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b, match = table.asked_pair()
    mock_clock.jump(0.25)
    a.answer((a.questions()[0].id, "one"))
    table.flush()
    mock_clock.jump(0.5)
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    mock_clock.jump(0.125)
    a.answer((a.questions()[0].id, "one"))
    assert charged(match, 0) == pytest.approx(0.375)
    assert charged(match, 1) == pytest.approx(0.5)


async def test_an_answer_without_time_limit_may_take_hours(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(move_time=0.0), table.bot()
    match = table.match([a, b])
    table.flush()
    mock_clock.jump(5000.0)
    a.answer((a.questions()[0].id, "one"))
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    assert charged(match, 0) == pytest.approx(5000.0)
    assert a.questions()[0].charged_us == 2**32 - 1, "what the field can hold"


async def test_chatter_and_old_answers_do_not_restart_the_clock(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    (question,) = a.questions()
    mock_clock.jump(0.4)
    a.answer((question.id + 7, "one"))
    a.answer()
    mock_clock.jump(0.4)
    a.answer((question.id, "one"), (question.id, "two"))
    assert charged(match, 0) == pytest.approx(0.8)
    assert match.state.taken[0] == 1, "the second answer to one question is dropped"


async def test_a_fischer_clock_adds_what_is_left_of_the_move_time_to_the_bank(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0, fischer=True)
    a, b = table.bot(), table.bot()
    match = table.match([a, b], size=20)
    table.flush()
    assert a.sent[0].turns.starts[0].fischer
    for seconds, bank in ((0.25, 2.75), (1.0, 2.75), (3.75, 0.0)):
        question = a.questions()[-1]
        mock_clock.jump(seconds)
        a.answer((question.id, "one"))
        assert match.seats[0].bank == pytest.approx(bank)
        table.flush()
        b.answer((b.questions()[-1].id, "one"))
        table.flush()
    question = a.questions()[-1]
    assert question.bank_ms == 0
    assert question.charged_us == 3_750_000
    mock_clock.jump(1.01)
    a.answer((question.id, "one"))
    (fault,) = match.record(match.outcome()).faults
    assert (fault.seat, fault.ply, fault.kind) == (0, 6, Fault.KIND_TIMEOUT)
    assert fault.sentence == "it answered after 1.010 s: the move time is 1 s"
    assert match.seats[0].bank == 0.0


async def test_each_seat_has_its_own_clock(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(), table.bot()
    b.player.move_time = 0.25
    clocks = [Clock(1.0, 2.0, fischer=False), Clock(0.25, 0.5, fischer=True)]
    match = table.match([a, b], size=20, clocks=clocks)
    table.flush()
    starts = [a.sent[0].turns.starts[0]]
    mock_clock.jump(1.5)
    a.answer((a.questions()[-1].id, "one"))
    table.flush()
    starts.append(b.sent[0].turns.starts[0])
    assert [(start.move_time_ms, start.bank_ms, start.fischer) for start in starts] == [
        (1000, 2000, False), (250, 500, True),
    ]  # fmt: skip
    for start in starts:
        told = [(clock.move_time_ms, clock.bank_ms, clock.fischer) for clock in start.clocks]
        assert told == [(1000, 2000, False), (250, 500, True)]
    question = b.questions()[-1]
    assert question.bank_ms == 500
    mock_clock.jump(0.05)
    b.answer((question.id, "one"))
    assert [seat.bank for seat in match.seats] == pytest.approx([1.5, 0.7]), "only b keeps what it leaves"
    table.flush()
    a.answer((a.questions()[-1].id, "one"))
    table.flush()
    mock_clock.jump(1.0)
    b.answer((b.questions()[-1].id, "one"))
    (fault,) = match.record(match.outcome()).faults
    assert (fault.seat, fault.kind) == (1, Fault.KIND_TIMEOUT)
    assert fault.sentence == "it answered after 1.000 s: the move time is 0.25 s, and 0.7 s was left of the bank"


async def test_clocks_that_are_all_alike_are_told_once(new_table: NewTable) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    match = table.match([a, b], clocks=[Clock(0.5, 3.0, fischer=False)] * 2)
    table.flush()
    assert not a.sent[0].turns.starts[0].clocks
    assert [seat.bank for seat in match.seats] == [3.0, 3.0]


async def test_time_beyond_the_move_time_comes_from_the_bank(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(), table.bot()
    match = table.match([a, b])
    table.flush()
    mock_clock.jump(2.5)
    a.answer((a.questions()[0].id, "two"))
    assert match.seats[0].bank == pytest.approx(0.5)
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    (question,) = a.questions()
    assert question.bank_ms == 500
    assert question.charged_us == 2_500_000
    mock_clock.jump(1.75)
    a.answer((question.id, "two"))
    (fault,) = match.record(match.outcome()).faults
    assert (fault.seat, fault.ply, fault.kind) == (0, 2, Fault.KIND_TIMEOUT)
    assert fault.sentence == "it answered after 1.750 s: the move time is 1 s, and 0.5 s was left of the bank"
    assert match.state.taken[0] == 3, "two, and then the default move: one"


async def test_the_sweeper_rules_a_timeout_and_a_second_one_means_hung(
    new_table: NewTable, autojump_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(), table.bot()
    match = table.match([a, b])
    table.flush()
    start = trio.current_time()
    (late,) = a.questions()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.player.watch_clock, lambda: None)
        while not table.dirty:
            await trio.sleep(0.125)
        assert trio.current_time() - start == pytest.approx(3.0, abs=0.13), "the move time and the whole bank"
        assert charged(match, 0) == 3.0
        table.flush()
        a.answer((late.id, "two"))
        b.answer((b.questions()[0].id, "one"))
        table.flush()
        again = trio.current_time()
        while a.fault is None:
            await trio.sleep(0.125)
        assert trio.current_time() - again == pytest.approx(1.0, abs=0.13), "the bank is empty"
        assert a.fault[0] is FaultKind.HUNG
        nursery.cancel_scope.cancel()
    assert match.state.taken[0] == 1, "the late answer is dropped"
    a.player.process_failed(*a.fault)
    timeout, hung = match.record(match.outcome()).faults
    assert (timeout.kind, hung.kind) == (Fault.KIND_TIMEOUT, Fault.KIND_HUNG)
    assert timeout.sentence == "no answer within 3 s: the move time of 1 s and what was left of the bank, 2 s"


async def test_a_bot_of_whole_batches_gets_the_move_time_of_all_its_questions(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    single, batch, other = table.bot(), table.bot(whole_batches=True), table.bot()
    for _ in range(4):
        table.match([single, other])
        table.match([batch, other])
    table.flush()
    now = trio.current_time()
    assert single.player.deadline() == pytest.approx(now + 3.0)
    assert batch.player.deadline() == pytest.approx(now + 6.0)
    first = next(match for match in table.matches if match.seats[0].player is batch.player)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(batch.player.watch_clock, lambda: None)
        mock_clock.autojump_threshold = 0.0
        await trio.sleep_until(now + 6.125)
        nursery.cancel_scope.cancel()
    assert first.record(first.outcome()).faults[0].sentence == (
        "no answer within 6 s: the move time of 1 s for each of 4 questions and what was left of the bank, 2 s"
    )


async def test_illegal_answers_are_strikes_and_three_forfeit_the_seat(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(strikes=3)
    a, b = table.bot(), table.bot()
    table.match([a, b], size=12)
    for _ in range(3):
        table.flush()
        a.answer((a.questions()[0].id, "three"))
        table.flush()
        b.answer((b.questions()[0].id, "one"))
    while not table.records:
        table.flush()
        assert not a.questions(), "a forfeited seat is not asked any more"
        b.answer((b.questions()[0].id, "one"))
    (record,) = table.records
    assert [(fault.ply, fault.forfeit) for fault in record.faults] == [(0, False), (2, False), (4, True)]
    assert list(record.ranks) == [2, 1]


@pytest.mark.parametrize("index", [0, 1, 2, 2**32 - 1])
async def test_an_answer_by_index(new_table: NewTable, mock_clock: trio.testing.MockClock, index: int) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    request = PlayRequest()
    request.answers.answers.add(question=a.questions()[0].id, index=index)
    a.say(request)
    assert match.state.taken[0] == (2 if index == 1 else 1)
    assert len(match.record(match.outcome()).faults) == (index > 1)


async def test_an_answer_without_a_move_is_illegal(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    request = PlayRequest()
    request.answers.answers.add(question=a.questions()[0].id)
    a.say(request)
    (fault,) = match.record(match.outcome()).faults
    assert fault.kind == Fault.KIND_ILLEGAL
    assert fault.sentence == "its answer names no move: set its index or its text"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"text": "three\n"}, r'it answered "three\x0a", which is not legal there: one, two'),
        ({"text": "x" * 99}, f'it answered "{"x" * 63}…", which is not legal there: one, two'),
        ({"index": 2}, "it answered with the index 2, but the legal moves are 2: one, two"),
    ],
)
async def test_a_fault_tells_what_was_answered(
    new_table: NewTable, mock_clock: trio.testing.MockClock, answer: dict[str, Any], sentence: str
) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    request = PlayRequest()
    request.answers.answers.add(question=a.questions()[0].id, **answer)
    a.say(request)
    assert [fault.sentence for fault in match.record(match.outcome()).faults] == [sentence]


async def test_a_crash_with_one_open_question_is_that_matchs_fault(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b, match = table.asked_pair()
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    (fault,) = match.record(match.outcome()).faults
    assert (fault.seat, fault.kind, fault.sentence) == (0, Fault.KIND_CRASH, "it crashed")
    table.flush()
    assert len(b.questions()) == 1, "the match goes on with the default move"


async def test_a_crash_is_attributed_by_isolation(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    matches = [table.match([a, b]) for _ in range(4)]
    table.flush()
    assert len(a.questions()) == 4
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    assert not any(match.record(match.outcome()).faults for match in matches), "nobody knows yet which match did it"

    fresh = table.again(a)
    (question,) = fresh.questions()
    assert question.again
    fresh.answer((question.id, "one"))
    table.flush()
    (question,) = fresh.questions()
    assert question.again
    fresh.player.process_failed(FaultKind.CRASH, "it crashed alone")
    faults = [[fault.sentence for fault in match.record(match.outcome()).faults] for match in matches]
    assert faults == [[], ["it crashed alone"], [], []], "the second match is guilty, the others are not"

    third = table.again(fresh)
    for _ in range(2):
        (question,) = third.questions()
        third.answer((question.id, "two"))
        table.flush()
    assert [match.state.taken[0] for match in matches] == [1, 1, 2, 2]
    while questions := b.questions():
        b.answer(*((question.id, "one") for question in questions))
        table.flush()
    (question,) = third.questions()
    third.answer((question.id, "one"))
    table.flush()
    assert len(third.questions()) == 3, "all matches go on together again"


async def test_what_comes_up_for_a_busy_bot_leaves_together_once_it_answers(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    for _ in range(3):
        table.match([a, b])
    table.flush()
    first, second, third = a.questions()
    for question in (first, second, third):
        a.answer((question.id, "one"))
        table.flush()
    (one,) = b.questions()
    assert not b.questions(), "it has not answered yet"
    b.answer((one.id, "one"))
    table.flush()
    assert len(b.questions()) == 2


async def test_no_clock_runs_for_a_question_that_was_held_back_until_it_leaves(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    matches = [table.match([a, b]) for _ in range(2)]
    table.flush()
    first, second = a.questions()
    a.answer((first.id, "one"))
    table.flush()
    (asked,) = b.questions()
    a.answer((second.id, "one"))
    table.flush()
    b.answer((asked.id, "one"))
    mock_clock.jump(0.5)
    table.flush()
    (held,) = b.questions()
    mock_clock.jump(0.25)
    b.answer((held.id, "one"))
    assert [charged(match, 1) for match in matches] == [0.0, 0.25]


async def test_a_process_that_never_knew_a_match_is_not_told_of_its_end(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(strikes=1)
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.flush()
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    fresh = table.again(a)
    table.flush()
    while questions := b.questions():
        b.answer(*((question.id, "two") for question in questions))
        table.flush()
    assert len(table.records) == 1
    assert not fresh.sent


async def test_a_player_has_room_until_it_holds_as_many_matches_as_it_takes(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(matches_at_once=2), table.bot()
    room = []
    for _ in range(2):
        room.append(a.player.has_room)
        table.match([a, b])
    assert [*room, a.player.has_room] == [True, True, False]
    a.player.withdraw("for a test")
    assert a.player.has_room, "its seats are played by default moves"


async def test_questions_that_come_up_in_isolation_wait(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.match([a, b])
    waiting = table.match([b, a])
    table.flush()
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    b.answer((b.questions()[0].id, "one"))
    fresh = table.again(a)
    for _ in range(2):
        (question,) = fresh.questions()
        assert question.again
        fresh.answer((question.id, "one"))
        table.flush()
    (question,) = fresh.questions()
    assert not question.again
    fresh.answer((question.id, "two"))
    assert waiting.state.taken[1] == 2


async def test_faults_in_too_many_matches_withdraw_the_bot(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(max_failed_matches=3)
    a, b = table.bot(), table.bot()
    bot = a
    for _ in range(3):
        table.match([bot, b], size=1)
        table.flush()
        bot.player.process_failed(FaultKind.CRASH, "it crashed")
        assert not bot.player.withdrawn
        bot = table.again(bot)
        for question in bot.questions():
            bot.answer((question.id, "one"))
        for question in b.questions():
            b.answer((question.id, "one"))
    table.match([bot, b], size=1)
    table.flush()
    bot.player.process_failed(FaultKind.CRASH, "it crashed")
    assert bot.player.withdrawn
    assert [fault.kind for fault in table.matches[-1].record(table.matches[-1].outcome()).faults] == [
        Fault.KIND_CRASH,
        Fault.KIND_WITHDRAWN,
    ]
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    assert list(table.records[-1].ranks) == [2, 1]


async def test_one_match_is_guilty_once_however_often(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table(max_failed_matches=1, strikes=99)
    a, b = table.bot(), table.bot()
    table.match([a, b], size=8)
    bot = a
    for _ in range(4):
        table.flush()
        bot.player.process_failed(FaultKind.CRASH, "it crashed")
        assert not bot.player.withdrawn
        bot = table.again(bot)
        b.answer((b.questions()[0].id, "one"))
    assert bot.player.crashes.failures == 4


async def test_failures_that_no_match_explains_withdraw_the_bot(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(max_failed_matches=1)
    a = table.bot()
    a.player.process_failed(FaultKind.CRASH, "it crashed with nothing to do")
    assert not a.player.withdrawn
    a.player.process_failed(FaultKind.CRASH, "it crashed with nothing to do")
    assert a.player.withdrawn


async def test_failed_starts_withdraw_the_bot(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table(max_failed_matches=99)
    a = table.bot()
    a.player.disconnect()
    for _ in range(FAILED_STARTS):
        assert not a.player.withdrawn
        a.player.process_failed(FaultKind.START, "it cannot be started")
    assert a.player.withdrawn


async def test_a_withdrawn_bot_is_forfeited_from_the_first_question(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    a.player.withdraw("for a test")
    match = table.match([a, b])
    assert match.seats[0].forfeit
    assert match.state.asked == (1,)


async def test_a_flood_and_broken_messages_are_protocol_faults(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    flooding, broken, greeting = table.bot(), table.bot(), table.bot()
    for _ in range(STRAYS):
        flooding.answer((10**6, "one"))
    assert flooding.fault is None
    flooding.answer((10**6, "one"))
    broken.player.received(b"\xff\xff\xff", 0.0)
    hello = PlayRequest()
    hello.hello.token = "again"
    greeting.say(hello)
    for bot in (flooding, broken, greeting):
        assert bot.fault is not None
        assert bot.fault[0] is FaultKind.PROTOCOL


async def test_a_bot_hears_only_what_its_seat_may_know(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(wants_events=True), table.bot(wants_events=True)
    table.match([a, b], size=5)
    table.flush()
    a.answer((a.questions()[0].id, "two"))
    table.flush()
    (question,) = b.questions()
    assert list(question.events) == ["seat 0 takes two"]
    b.answer((question.id, "one"))
    table.flush()
    assert list(a.questions()[0].events) == ["seat 0 takes two", "seat 0 has 2", "seat 1 takes one"]
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    assert b.questions() == []


async def test_a_bot_that_wants_values_hears_of_what_the_lines_are_made(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(wants_events=True, wants_values=True), table.bot(wants_values=True)
    table.match([a, b], size=5)
    table.flush()
    a.answer((a.questions()[0].id, "two"))
    table.flush()
    (question,) = b.questions()
    assert list(question.events) == []
    b.answer((question.id, "one"))
    table.flush()
    events = [tuple(json.loads(event)) for event in a.questions()[0].events]
    lines = table.matches[0].game.lines
    assert [text(lines, event) for event in events] == ["seat 0 takes two", "seat 0 has 2", "seat 1 takes one"]


async def test_a_fresh_process_hears_the_history_from_the_beginning(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(wants_events=True), table.bot()
    table.match([a, b], size=9)
    table.match([a, b], size=9)
    table.flush()
    first, _ = a.questions()
    a.answer((first.id, "two"))
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    fresh = table.again(a)
    assert [start.match for response in fresh.sent for start in response.turns.starts] == [1]
    (question,) = fresh.questions()
    assert (question.match, list(question.events)) == (1, [])
    fresh.answer((question.id, "one"))
    table.flush()
    (question,) = fresh.questions()
    assert list(question.events) == ["seat 0 takes two", "seat 0 has 2", "seat 1 takes one"]


async def test_notes_are_kept_clean_and_bounded(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    request = PlayRequest()
    request.answers.answers.add(question=a.questions()[0].id, text="one", note="\x1b[31mred\u202e" + "x" * 5000)
    a.say(request)
    (note,) = match.record(match.outcome()).notes
    assert (note.seat, note.ply) == (0, 0)
    assert note.text.startswith("\\x1b[31mred\\u202e")
    assert len(note.text) <= 1024


async def test_the_lines_of_a_note_are_notes(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, _, match = table.asked_pair()
    request = PlayRequest()
    lines = [f"line {number}" for number in range(18)]
    request.answers.answers.add(question=a.questions()[0].id, text="one", note="a\r\n\nb\n" + "\n".join(lines))
    a.say(request)
    notes = [note.text for note in match.record(match.outcome()).notes]
    assert notes == ["a", "b", *lines[:12], "\\x0a".join(lines[12:])]


async def test_an_attached_bot_has_no_clock_and_is_asked_again_after_it_went(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=1.0)
    a, b = table.bot(move_time=0.0, wants_events=True), table.bot()
    match = table.match([a, b], size=2)
    table.flush()
    assert a.player.deadline() is not None
    (start,) = [start for response in a.sent for start in response.turns.starts]
    assert start.move_time_ms == 0
    (question,) = a.questions()
    assert not question.again
    a.player.detach()
    back = table.again(a)
    (asked_again,) = back.questions()
    assert asked_again.again
    mock_clock.jump(1000.0)
    back.answer((asked_again.id, "two"))
    table.flush()
    assert charged(match, 0) == pytest.approx(1000.0)
    mock_clock.jump(5.0)
    b.answer((b.questions()[0].id, "one"))
    back.answer((back.questions()[0].id, "one"))
    (record,) = table.records
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, Fault.KIND_TIMEOUT)], "others have their clock"
    assert not a.player.withdrawn
    assert a.player.crashes.failures == 0


@pytest.mark.parametrize("rule", ["apply", "legal", "view"])
async def test_rules_that_fail_are_named(
    new_table: NewTable, mock_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    def fails(self: Any, *arguments: Any) -> None:
        raise KeyError("none")

    table = new_table()
    a, _, match = table.asked_pair()
    (question,) = a.questions()
    monkeypatch.setattr(type(match.state), rule, fails)
    told = "the rules of heap failed in match 0 after 1 answers: KeyError: 'none'"
    with pytest.raises(referee.match.match.RulesFailed, match=told):
        a.answer((question.id, "one"))


async def test_an_answer_to_a_question_that_was_held_back_is_made_without_having_been_asked(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b, _ = table.asked_pair()
    (first,) = a.questions()
    table.match([a, b])
    table.flush()
    a.answer((first.id + 1, "one"))
    assert a.fault == (FaultKind.PROTOCOL, ANSWERED_EARLY), "it works on the first, so the second has not left"


async def test_a_bot_that_does_not_read_runs_out_of_time_and_hangs(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=2.0)
    a, b = table.bot(), table.bot()
    a.reads = False
    match, _ = table.match([a, b]), table.match([a, b])
    table.flush()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.player.watch_clock, table.flush)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(3.0)
        await trio.testing.wait_all_tasks_blocked()
        assert kinds(match) == [FaultKind.TIMEOUT]
        assert a.fault is None
        mock_clock.jump(3.0)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert a.fault == (FaultKind.HUNG, "it runs but does not read what it is sent")


class Flooded:
    """Measures a flood.

    flood_seconds: as it was measured last.
    actual: as it is.
    """

    flood_seconds = actual = 0.0

    def measure(self) -> bool:
        self.flood_seconds = self.actual
        return True

    def add(self, seconds: float) -> None:
        self.flood_seconds += seconds


async def test_what_a_flood_of_another_bot_took_is_not_charged(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=0.0)
    flooded = table.flood_timer = Flooded()
    a, b = table.bot(), table.bot()
    match = table.match([a, b])
    table.flush()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.player.watch_clock, table.flush)
        await trio.testing.wait_all_tasks_blocked()
        flooded.actual = 0.5
        mock_clock.jump(1.25)
        await trio.testing.wait_all_tasks_blocked()
        assert kinds(match) == []
        a.answer((a.questions()[0].id, "one"))
        nursery.cancel_scope.cancel()
    assert charged(match, 0) == pytest.approx(0.75)


async def test_the_time_of_useless_messages_is_charged_to_their_sender_alone(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=5.0)
    timer = table.flood_timer = Flooded()
    a, b, c = (table.bot() for _ in range(3))
    first, second = table.match([a, c]), table.match([b, c])
    table.flush()
    (question,) = b.questions()
    for _ in range(500):
        a.answer((99, "one"))
        c.answer((99, "one"))
    assert timer.flood_seconds == pytest.approx(1000 * USELESS_SECONDS)
    mock_clock.jump(0.25)
    b.answer((question.id, "one"))
    assert charged(second, 0) == pytest.approx(0.25 - 1000 * USELESS_SECONDS)
    a.answer((a.questions()[0].id, "one"))
    assert charged(first, 0) == pytest.approx(0.25 - 500 * USELESS_SECONDS), "only what c sent is excused"
    table.flush()
    mock_clock.jump(0.125)
    c.answer(*((question.id, "one") for question in c.questions()))
    assert charged(first, 1) + charged(second, 1) == pytest.approx(0.125 + 500 * USELESS_SECONDS), "sent while idle"


async def test_an_answer_that_is_there_before_we_know_that_its_question_left_counts_once_we_know(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    match, other = (table.match([a, b]) for _ in range(2))
    a.reads = False
    table.flush()
    first, second = a.questions()
    mock_clock.jump(0.25)
    a.answer((second.id, "one"), (first.id, "two"))
    assert (a.fault, match.state.taken) == (None, [0, 0])
    assert a.player.open_questions == 2
    mock_clock.jump(0.25)
    a.read()
    assert a.fault is None
    assert (match.state.taken, other.state.taken) == ([2, 0], [1, 0])
    assert charged(match, 0) == pytest.approx(0.125), "the time when it was there counts"


async def test_an_answer_to_a_question_that_never_leaves_is_a_fault_of_the_protocol(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=1.0, bank=0.0)
    a, b = table.bot(), table.bot()
    a.reads = False
    table.match([a, b])
    table.flush()
    a.answer((a.questions()[0].id, "one"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.player.watch_clock, table.flush)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(1.0)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert a.fault == (FaultKind.PROTOCOL, ANSWERED_EARLY)


async def test_a_question_behind_a_message_that_is_stuck_cannot_be_answered(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    a.reads = False
    a.send(b"")  # a message that is stuck already
    table.match([a, b])
    table.flush()
    a.answer((1, "one"))
    assert a.fault == (FaultKind.PROTOCOL, ANSWERED_EARLY)


async def test_useless_bytes_count_like_useless_answers(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, *_ = table.asked_pair()
    a.answer((99, "x" * (STRAYS * 500)))
    assert a.fault is None
    a.answer((99, "x" * (STRAYS * 600)))
    assert a.fault == (
        FaultKind.PROTOCOL,
        f"it sent more than {STRAYS} useless answers: to questions that were not open, "
        "and more than 2 for each good one",
    )


async def test_good_answers_make_up_for_a_few_useless_ones_and_no_more(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    bots = frank, busy, sly = [table.bot() for _ in range(3)]
    useless = {id(frank): 2, id(busy): 202, id(sly): 202}
    answered = 0
    while all(bot.fault is None for bot in (busy, sly)):
        table.match(bots, size=2)
        table.flush()
        for bot in bots:
            for question in bot.questions():
                strays = [(10**6, "one")] * useless[id(bot)]
                if bot is sly:  # the good one lies among the others
                    bot.answer((question.id, "one"), *strays)
                else:
                    for stray in strays:
                        bot.answer(stray)
                    bot.answer((question.id, "one"))
                answered += bot is busy
                table.flush()
    assert frank.fault is None
    assert answered <= 6
    for bot in (busy, sly):
        assert bot.fault is None or bot.fault[0] is FaultKind.PROTOCOL


async def test_a_fresh_process_goes_on_with_the_useless_answers_of_the_one_before(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, *_ = table.asked_pair()
    for _ in range(STRAYS):
        a.answer((99, "one"))
    assert a.fault is None
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    fresh = table.again(a)
    fresh.answer((99, "one"))
    assert fresh.fault is not None


def with_note(question: int, size: int) -> bytes:
    """An answer in a message of so many bytes, or a few more."""
    request = PlayRequest()
    request.answers.answers.add(question=question, text="one", note="x" * size)
    return request.SerializeToString()


async def test_a_bot_that_sends_more_than_its_answers_need_is_read_slowly(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table(move_time=5.0)
    a, b = table.bot(), table.bot()
    for _ in range(4):
        table.match([a, b], size=2)
    table.flush()
    first, second, third, fourth = (question.id for question in a.questions())
    a.player.received(with_note(first, ANSWER_BYTES - 100), 0.0)
    a.player.received(with_note(second, ANSWER_BYTES + SPARE_BURST - 100), 0.0)
    assert a.rests == []
    a.player.received(with_note(third, ANSWER_BYTES + SPARE_BYTES_PER_SECOND // 2), 0.0)
    assert a.rests == [pytest.approx(0.5, abs=1e-3)]
    a.player.received(with_note(fourth, ANSWER_BYTES + SPARE_BYTES_PER_SECOND // 4), 0.5)
    assert a.rests[1:] == [pytest.approx(0.25, abs=1e-3)]
    assert a.fault is None


async def test_a_fresh_process_goes_on_being_read_slowly(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.flush()
    a.player.received(with_note(99, SPARE_BURST), 0.0)
    a.player.process_failed(FaultKind.CRASH, "it crashed")
    fresh = table.again(a)
    fresh.player.received(with_note(99, SPARE_BYTES_PER_SECOND // 2), 0.0)
    assert (fresh.rests, fresh.fault) == ([pytest.approx(0.5, abs=1e-3)], None)


async def test_what_notes_take_is_charged_to_who_sends_them_alone(
    new_table: NewTable, mock_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = iter([1.0, 1.125])
    monkeypatch.setattr("referee.session.inbox.thread_time", lambda: next(spent))
    table = new_table(move_time=5.0)
    table.flood_timer = Flooded()
    a, b, c = (table.bot() for _ in range(3))
    first, second, third = table.match([a, c]), table.match([b, c]), table.match([a, c])
    table.flush()
    one, three = a.questions()
    mock_clock.jump(0.25)
    a.player.received(with_note(one.id, 10), trio.current_time())
    assert charged(first, 0) == pytest.approx(0.25)
    mock_clock.jump(0.25)
    b.answer((b.questions()[0].id, "one"))
    assert charged(second, 0) == pytest.approx(0.5 - 0.125)
    a.answer((three.id, "one"))
    assert charged(third, 0) == pytest.approx(0.25)


NOTE_SECONDS = 1 / 64
"""What the note to an answer takes in `charged`."""


async def charged_seconds(
    table: Any, clock: trio.testing.MockClock, strays: int = 0, note: str = ""
) -> tuple[float, float, float]:
    """Play matches among three bots that all think for as long; return what each was charged in them, in seconds.

    The first bot answers first.

    strays, note: what it sends with each answer; the others wait while that is read.
    """
    bots = [table.bot() for _ in range(3)]
    matches = [table.match([bots[one], bots[other]], size=6) for one, other in ((0, 1), (1, 2), (2, 0))]
    while len(table.records) < 3:
        table.flush()
        asked = [bot.questions() for bot in bots]
        clock.jump(0.5)
        for bot, questions in zip(bots, asked, strict=True):
            for _ in range(strays if questions and bot is bots[0] else 0):
                clock.jump(USELESS_SECONDS)
                bot.answer((10**6, "one"))
            for question in questions:
                request = PlayRequest()
                request.answers.answers.add(question=question.id, index=0, note=note if bot is bots[0] else "")
                bot.say(request)
    (a, b), (c, d), (e, f) = ([seat.total for seat in match.seats] for match in matches)
    return a + f, b + c, d + e


@pytest.mark.skipif(not inbox.__file__.endswith(".py"), reason="compiled code calls no function that a test replaces")
async def test_a_bot_pays_for_what_it_sends_beside_its_answers_and_the_others_are_charged_as_without_it(
    new_table: NewTable, mock_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clean(text: str, size: int) -> str:
        mock_clock.jump(NOTE_SECONDS)
        return text

    monkeypatch.setattr("referee.session.inbox.clean", clean)
    monkeypatch.setattr("referee.session.inbox.thread_time", trio.current_time)
    first, second, third = await charged_seconds(new_table(flood_timer=Flooded()), mock_clock)
    assert (second, third) == (first, first)
    rounds, answers = 7, 8
    assert first == 0.5 * rounds
    # Nothing is asked after the last note, which is kept as the match ends.
    for strays, note, paid in ((2, "", 2 * rounds * USELESS_SECONDS), (0, "why", (answers - 1) * NOTE_SECONDS)):
        found = await charged_seconds(new_table(flood_timer=Flooded()), mock_clock, strays, note)
        assert found == pytest.approx((first + paid, second, third))


async def test_more_answers_in_a_message_than_there_can_be_are_not_even_looked_at(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, *_ = table.asked_pair()
    a.answer(*[(99, "one")] * (STRAYS + 2))
    assert a.fault == (FaultKind.PROTOCOL, f"it sent {STRAYS + 2} answers in one message, with 1 questions open")


async def test_a_bot_that_takes_too_long_for_all_its_answers_forfeits_what_is_left(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    reports: list[Any] = []
    table = new_table(thinking=1.5, report=reports.append)
    a, b = table.bot(), table.bot()
    first, second = table.match([a, b]), table.match([b, a])
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    mock_clock.jump(0.9)
    a.answer((a.questions()[0].id, "one"))
    assert not a.player.is_too_slow
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    mock_clock.jump(0.7)
    a.answer((a.questions()[0].id, "one"))
    assert (a.player.is_too_slow, a.player.withdrawn, b.player.withdrawn) == (True, True, False)
    assert a.fault is not None
    assert a.fault[0] is FaultKind.HUNG
    assert "more than 1.5 s" in a.fault[1]
    for match, seat in ((first, 0), (second, 1)):
        assert [fault.kind for fault in match._faults if fault.seat == seat] == [FaultKind.WITHDRAWN]
    while table.dirty:
        table.flush()
        b.answer(*[(question.id, "one") for question in b.questions()])
    assert sorted(tuple(record.ranks) for record in table.records) == [(1, 2), (2, 1)], "it is last in both"


async def test_timeouts_count_as_time_for_answers(new_table: NewTable, autojump_clock: trio.testing.MockClock) -> None:
    table = new_table(thinking=2.5)
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.flush()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.player.watch_clock, table.flush)
        await trio.sleep(3.1)
        nursery.cancel_scope.cancel()
    assert a.player.is_too_slow, "a move time of 1 s and a bank of 2 s"
