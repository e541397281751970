"""The log around a frame, and the bar with the marks of the match."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from arena.replay.text import duration
from arena.viewer.frames import Frame, FrameAnswer
from arena.viewer.marks import FAULT, LOSS, OUT, ROUND
from arena.viewer.terminal.glyphs import broken

SIGNS = ((FAULT, "!", "bold red"), (OUT, "×", "magenta"), (ROUND, "│", "blue"), (LOSS, "·", "yellow"))
"""The signs of marks on the bar; where several fall together the first is shown."""

_INDENT = 6


def around(frames: Sequence[Frame], number: int, width: int, height: int) -> list[Text]:
    """Return `height` lines of the log, with the entry of a frame in their middle."""
    now = list(entry(frames[number], number, width, here=True))
    if len(now) >= height:
        return now[-height:]
    before: list[Text] = []
    after: list[Text] = []
    low, high = number - 1, number + 1
    while len(before) + len(now) + len(after) < 2 * height and (low >= 0 or high < len(frames)):
        if low >= 0:
            before = [*entry(frames[low], low, width), *before]
            low -= 1
        if high < len(frames):
            after += entry(frames[high], high, width)
            high += 1
    wanted = max((height - len(now)) // 2, height - len(now) - len(after))
    above = min(len(before), wanted)
    return [*before[len(before) - above :], *now, *after][:height]


def entry(frame: Frame, number: int, width: int, *, here: bool = False) -> Iterator[Text]:
    """Yield the lines of one frame: its number, what led to it, what went wrong and what was answered."""
    parts = [
        *map(Text, frame.events),
        *(Text(f"seat {row.seat}: {row.kind}", "bold red") for row in frame.faults),
        *map(_answer, frame.answers),
    ]
    label = f"{'▌' if here else ' '}{number:>4} "
    for line in (line for part in parts for line in broken(part, width - _INDENT)):
        yield Text.assemble((label, "bold" if here else "dim"), line)
        label = f"{'▌' if here else ' '}{' ' * (_INDENT - 1)}"


def _answer(answer: FrameAnswer) -> Text:
    aside = "by default" if answer.default else duration(answer.spent.micros) if answer.spent else ""
    text = Text.assemble((f"seat {answer.seat}: {answer.move}", "bold green"), (f"  {aside}" if aside else "", "dim"))
    return text.append("".join(f' "{note}"' for note in answer.notes), "dim")


def scrub(frames: Sequence[Frame], number: int, width: int) -> Text:
    """Return the match as one line: where its marks are, and where one stands."""
    last = max(1, len(frames) - 1)
    signs: dict[int, set[str]] = {}
    for place, frame in enumerate(frames):
        signs.setdefault(place * (width - 1) // last, set()).update(frame.marks)
    text = Text()
    for column in range(width):
        found = [(sign, style) for kind, sign, style in SIGNS if kind in signs.get(column, ())]
        sign, style = found[0] if found else ("─", "dim")
        here = column == number * (width - 1) // last
        text.append("◆" if here else sign, "bold reverse" if here else style)
    return text
