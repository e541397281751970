"""Output of bots: whole tracebacks, once, line by line."""

from arena.record.printed import AGAIN, NoteBlock, folded, note_blocks, whole_tail

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
