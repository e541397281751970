"""What bots printed: whole tracebacks, once, line by line, and what the last one says."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

PRINTED = "printed: "
"""The beginning of a note that holds a line of output, printed while only that question was open."""

AGAIN = "(the same traceback again)"
"""Stands for a traceback that was shown before."""

_LEAST_TRACEBACK = 3
"""Lines of the shortest block that counts as a traceback."""


LONGEST_ERROR = 200
"""Characters of an exception that are repeated."""

_FRAME = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+)(?:,? in (?P<name>.+))?')

_UNREADABLE = re.compile(r"(SyntaxError|IndentationError|TabError): ")

_TRACEBACK = "Traceback (most recent call last)"

_DUMPS = ("Current thread ", "Thread ")
"""How the parts of what faulthandler prints begin."""

_NOT_OWN = ("/arena/sdk/", "/arena/bridge/", "/site-packages/", "/lib/python", "<frozen ")
"""What is in the paths of files that the author of a bot did not write."""


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


def python_cause(lines: Sequence[str]) -> str:
    """Return what the last traceback of Python says, and where: the author's own line, if there is one.

    Of a process that was asked where it is, only where. Empty where there is neither.
    """
    if lines and _UNREADABLE.match(last := lines[-1]):  # no traceback: it ran nothing
        place = _own_place(list(reversed(lines[-5:-1])))
        return f"{last[:LONGEST_ERROR]} ({place})" if place else last[:LONGEST_ERROR]
    for block in reversed(list(_blocks(lines))):
        if block[0].startswith(_TRACEBACK):
            error = block[-1].strip()[:LONGEST_ERROR] if len(block) > 1 and block[-1][:1] not in (" ", "\t") else ""
            return f"{error} ({place})" if error and (place := _own_place(list(reversed(block)))) else error
        is_dump = block[0].startswith(_DUMPS) and block[0].endswith("(most recent call first):")
        if is_dump and (place := _own_place(block)):
            return f"it was at {place}"
    return ""


def _own_place(frames: Sequence[str]) -> str:
    """Return file, line and function of the first frame that the author wrote, or else of the first; may be empty."""
    found = [frame for line in frames if (frame := _FRAME.fullmatch(line))]
    own = [frame for frame in found if not any(part in frame["file"] for part in _NOT_OWN)]
    for frame in own or found:
        name = frame["name"]
        function = "" if name is None or name.startswith("<module>") else f", in {name}"
        return f"{PurePath(frame['file']).name}, line {frame['line']}{function}"
    return ""
