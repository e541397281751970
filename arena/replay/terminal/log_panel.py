"""The log around a frame, and the bar with the marks of the match."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from arena.language.message import Message
from arena.record.printed import note_blocks
from arena.record.text import duration
from arena.replay.frames import Frame, FrameAnswer
from arena.replay.marks import FAULT, LOSS, OUT, ROUND
from arena.replay.readable import Read
from arena.replay.terminal.glyphs import wrapped

SIGNS = ((FAULT, "!", "bold red"), (OUT, "×", "magenta"), (ROUND, "│", "blue"), (LOSS, "·", "yellow"))
"""The signs of marks on the bar; of several in one column the first is shown."""

_INDENT = 6


def log_lines(
    frames: Sequence[Frame], number: int, width: int, height: int, events: int | None = None, read: Read = str
) -> list[Text]:
    """Return `height` lines of the log, with the entry of frame `number` in the middle.

    events: how many of its events have happened, if the frame itself is still to come: what follows is not shown yet.
    read: returns a text of the game as people read it.
    """
    current = list(_entry(frames[number], number, width, read, is_current=True, events=events))
    if events is not None:
        frames = frames[: number + 1]
    if len(current) >= height:
        return current[-height:]
    before: list[Text] = []
    after: list[Text] = []
    low, high = number - 1, number + 1
    while len(before) + len(current) + len(after) < 2 * height and (low >= 0 or high < len(frames)):
        if low >= 0:
            before = [*_entry(frames[low], low, width, read), *before]
            low -= 1
        if high < len(frames):
            after += _entry(frames[high], high, width, read)
            high += 1
    above = min(len(before), max((height - len(current)) // 2, height - len(current) - len(after)))
    return [*before[len(before) - above :], *current, *after][:height]


def _entry(
    frame: Frame, number: int, width: int, read: Read, *, is_current: bool = False, events: int | None = None
) -> Iterator[Text]:
    """Yield the log lines of one frame: its number, events, faults and answers; or the first `events` alone."""
    parts = [Text(read(line)) for line in frame.events[:events]]
    if events is None:
        parts += [
            *(Text(f"{_name(row.seat, read)}: {row.kind}", "bold red") for row in frame.faults),
            *(_answer(answer, read) for answer in frame.answers),
        ]
    label = f"{'▌' if is_current else ' '}{number:>4} "
    for line in (line for part in parts for line in wrapped(part, width - _INDENT)):
        yield Text.assemble((label, "bold" if is_current else "dim"), line)
        label = f"{'▌' if is_current else ' '}{' ' * (_INDENT - 1)}"


def _name(seat: int, read: Read) -> str:
    return read(Message("seat {0}", seat))


def _answer(answer: FrameAnswer, read: Read) -> Text:
    time = "by default" if answer.default else duration(answer.spent.micros) if answer.spent else ""
    text = Text.assemble(
        (f"{_name(answer.seat, read)}: {read(answer.move)}", "bold green"), (f"  {time}" if time else "", "dim")
    )
    for block in note_blocks(answer.notes):
        text.append(f" printed: {block.lines[-1]}" if block.is_output else f' "{block.lines[0]}"', "dim")
    return text


def marks_bar(frames: Sequence[Frame], number: int, width: int) -> Text:
    """Return the whole match as one line, with its marks and the position of frame `number`."""
    last = max(1, len(frames) - 1)
    marks: dict[int, set[str]] = {}
    for index, frame in enumerate(frames):
        marks.setdefault(index * (width - 1) // last, set()).update(frame.marks)
    text = Text()
    for column in range(width):
        signs = [(sign, style) for kind, sign, style in SIGNS if kind in marks.get(column, ())]
        sign, style = signs[0] if signs else ("─", "dim")
        is_current = column == number * (width - 1) // last
        text.append("◆" if is_current else sign, "bold reverse" if is_current else style)
    return text
