"""What bots printed: whole tracebacks, once, line by line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

PRINTED = "printed: "
"""The beginning of a note that holds a line of output, printed while only that question was open."""

AGAIN = "(the same traceback again)"
"""Stands for a traceback that was shown before."""

_LEAST_TRACEBACK = 3
"""Lines of the shortest block that counts as a traceback."""


class NoteBlock(NamedTuple):
    """Notes of an answer that belong together."""

    is_output: bool
    """Whether they are lines that the bot printed."""
    lines: tuple[str, ...]


def note_blocks(notes: Sequence[str]) -> list[NoteBlock]:
    """Return the notes of an answer: each remark by itself, and the lines that were printed together."""
    blocks: list[NoteBlock] = []
    for note in notes:
        if not note.startswith(PRINTED):
            blocks.append(NoteBlock(False, (note,)))
            continue
        line = note.removeprefix(PRINTED)
        if blocks and blocks[-1].is_output:
            blocks[-1] = NoteBlock(True, (*blocks[-1].lines, line))
        else:
            blocks.append(NoteBlock(True, (line,)))
    return blocks


def folded(lines: Sequence[str]) -> list[str]:
    """Return lines of output in which each traceback is whole the first time, and one line when it comes again."""
    shown: list[str] = []
    known: set[tuple[str, ...]] = set()
    for block in _blocks(lines):
        if len(block) < _LEAST_TRACEBACK or block not in known:
            shown += block
        elif shown[-1:] != [AGAIN]:
            shown.append(AGAIN)
        known.add(block)
    return shown


def whole_tail(lines: Sequence[str], count: int) -> list[str]:
    """Return the last `count` lines, or more if they begin within a traceback: then from its first line."""
    tail: list[str] = []
    for block in reversed(list(_blocks(lines))):
        if len(tail) >= count:
            break
        tail = [*block, *tail]
    return tail


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of output, with those of a traceback together.

    A traceback is a line that is not indented with those below it that are, and in Python the line of the exception;
    Java, Go and JavaScript write theirs like that, too.
    """
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and lines[end][:1] in (" ", "\t"):
            end += 1
        if end > at + 1 and end < len(lines) and lines[at].startswith("Traceback (most recent call last)"):
            end += 1
        yield tuple(lines[at:end])
        at = end
