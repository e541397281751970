"""What a bot prints over a question is kept with it, where there is no doubt which question it is."""

from collections.abc import Callable
from typing import Any

import trio
import trio.testing

from referee.match.faults import FaultKind
from referee.process.bot_process import NOTED_BYTES, Output
from referee.session.player import LINE_CHARACTERS, PRINTED_CHARACTERS

NewTable = Callable[..., Any]


def notes(match: Any) -> list[tuple[int, int, str]]:
    return list(match._notes)


async def test_what_is_printed_over_one_question_is_kept_with_its_answer(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    match = table.match([a, b], size=9)
    for number, printed in ((1, b"hm\n\n  \x1b[1m two\xff\n"), (2, b"")):
        table.flush()
        a.player.output.add(printed)
        a.answer((number, "one"))
        table.flush()
        b.answer((number, "one"))
    assert notes(match) == [(0, 0, "printed: hm"), (0, 0, "printed:   \\x1b[1m two\\xff")]
    assert a.player.output.text() == "hm\n\n  \\x1b[1m two\\xff\n"


async def test_what_is_printed_over_several_questions_belongs_to_none(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    one, other = table.match([a, b], size=9), table.match([a, b], size=9)
    table.flush()
    a.player.output.add(b"which?\n")
    a.answer((1, "one"))
    assert notes(one) == notes(other) == []
    a.player.output.add(b"the other\n")
    a.answer((2, "one"))
    assert notes(one) == []
    assert notes(other) == [(0, 0, "printed: the other")]


async def test_the_last_words_before_a_crash_are_kept_with_the_question_that_it_was_about(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    match = table.match([a, b], size=9)
    table.flush()
    a.player.output.add(b"Traceback\n")
    a.player.process_failed(FaultKind.CRASH, "it ended")
    assert notes(match) == [(0, 0, "printed: Traceback")]


def test_it_is_bounded_and_what_lies_in_the_pipe_is_read() -> None:
    output = Output()
    output.add(b"x" * 50_000 + b"\nlast")
    assert output.take_new_lines() == ["…", "last"]
    assert output.take_new_lines() == []
    output.add(b"a line\n" * 2000)
    cut, *lines = output.take_new_lines()
    assert (cut, set(lines), len(lines)) == ("…", {"a line"}, NOTED_BYTES // len("a line\n"))
    output.add(b"  File 1\n\n\x01" + b"y" * (NOTED_BYTES - 20))
    first, second = output.take_new_lines()
    assert (first, second[:6], len(second)) == ("  File 1", "\\x01yy", NOTED_BYTES - 16)
    output.read_pipe = lambda: output.add(b"in the pipe")
    assert output.take_new_lines() == ["in the pipe"]


async def test_what_is_kept_of_it_in_one_match_is_bounded(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    match = table.match([a, b], size=500)
    for number in range(1, 40):
        table.flush()
        a.player.output.add(b"\x1b" * NOTED_BYTES if number % 2 else b"\n".join([b"x"] * (NOTED_BYTES // 2)))
        a.answer((number, "one"))
        table.flush()
        b.answer((number, "one"))
    *kept, last = [text for _, _, text in notes(match)]
    assert last == "printed: … (all further output in this match is left out)"
    counted = sum(len(text) - len("printed: ") + LINE_CHARACTERS for text in kept)
    assert PRINTED_CHARACTERS <= counted < PRINTED_CHARACTERS + 4 * NOTED_BYTES + LINE_CHARACTERS
    other = table.match([a, b], size=9)
    table.flush()
    a.answer((40, "one"))
    assert a.player.output.take_new_lines() == []
    a.player.output.add(b"in another match\n")
    a.answer((41, "one"))
    assert notes(other) == [(0, 0, "printed: in another match")]
