"""Output of bots: whole tracebacks, once, line by line."""

import pytest

from arena.record.printed import AGAIN, NoteBlock, folded, note_blocks, python_cause, whole_tail

TRACEBACK = [
    "Traceback (most recent call last):",
    '  File "bot.py", line 8, in choose',
    "    return cards[7]",
    "IndexError: list index out of range",
]
PANIC = ["panic: runtime error", "\tmain.go:7", "\tmain.go:12"]


def test_lines_that_were_printed_together_are_one_block() -> None:
    notes = ["hm", "printed: a", "printed:   b", "ah", "printed: c"]
    assert note_blocks(notes) == [
        NoteBlock(False, ("hm",)),
        NoteBlock(True, ("a", "  b")),
        NoteBlock(False, ("ah",)),
        NoteBlock(True, ("c",)),
    ]


def test_a_traceback_that_comes_again_is_one_line() -> None:
    lines = ["start", *TRACEBACK, "start", *TRACEBACK, *TRACEBACK, "end", *PANIC, *PANIC]
    assert folded(lines) == ["start", *TRACEBACK, "start", AGAIN, "end", *PANIC, AGAIN]


def test_other_lines_are_left_as_they_are() -> None:
    lines = ["looks at keep", "looks at keep", "", "one", "  two", "one", "  two", *TRACEBACK]
    other = [*TRACEBACK[:-1], "IndexError: another"]
    assert folded([*lines, *other]) == [*lines, *other]


def test_a_tail_begins_with_the_first_line_of_a_traceback() -> None:
    lines = [*map(str, range(9)), *TRACEBACK]
    assert whole_tail(lines, 2) == TRACEBACK
    assert whole_tail(lines, 6) == ["7", "8", *TRACEBACK]
    assert whole_tail([*lines, "end"], 3) == [*TRACEBACK, "end"]
    assert whole_tail(PANIC, 1) == PANIC
    assert whole_tail(["  indented"], 5) == ["  indented"]
    assert whole_tail([], 5) == []


DUMP = [
    "Current thread 0x00007fc1b1896b80 (most recent call first):",
    '  File "/usr/lib/python3.11/json/decoder.py", line 40 in decode',
    '  File "/bots/owl/main.py", line 6 in choose',
    '  File "/bots/owl/main.py", line 9 in <module>',
]


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ([], ""),
        (["thinking", *PANIC], ""),
        ([*TRACEBACK, "end"], "IndexError: list index out of range (bot.py, line 8, in choose)"),
        ([TRACEBACK[0], '  File "/x/main.py", line 1, in <module>', "KeyError: 1"], "KeyError: 1 (main.py, line 1)"),
        (
            [*TRACEBACK[:3], '  File "/v/site-packages/numpy/core.py", line 3, in sort', "ValueError: no"],
            "ValueError: no (bot.py, line 8, in choose)",
        ),
        (TRACEBACK[:3], ""),
        (['  File "/x/main.py", line 1', "    def choose(:", "SyntaxError: no"], "SyntaxError: no (main.py, line 1)"),
        (DUMP, "it was at main.py, line 6, in choose"),
        ([*TRACEBACK, *DUMP], "it was at main.py, line 6, in choose"),
        ([DUMP[0]], ""),
    ],
)
def test_the_last_traceback_of_python_tells_the_line_of_the_author(lines: list[str], cause: str) -> None:
    assert python_cause(lines) == cause


def test_a_long_exception_is_cut() -> None:
    assert python_cause([*TRACEBACK[:3], "ValueError: " + "x" * 9999]) == (
        "ValueError: " + "x" * 188 + " (bot.py, line 8, in choose)"
    )
