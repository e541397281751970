"""The question and what was answered to it: moves, times, notes, faults; at the end the result."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from arena.replay.text import duration, fault
from arena.store.rows import StoredMatch
from arena.viewer.answer_clock import ClockLimits, limits
from arena.viewer.frames import Frame, FrameAnswer
from arena.viewer.terminal.glyphs import broken, flow
from referee.engine.registry import game as installed
from referee.engine.registry import in_units

FEW = 6
"""Lines of legal moves at the most; the chosen one is among them."""

LEAST = 2
"""So many there may be, whatever is told of an answer besides."""

BAR = 10
"""Characters of the bar that shows what is left of a bank."""


def panel(match: StoredMatch, frame: Frame, seat: int | None, width: int, height: int) -> list[Text]:
    """Return what belongs to a frame. seat: whose knowledge it is. height: lines that are seen without scrolling."""
    lines: list[Text] = []
    for row in frame.faults:
        lines += broken(Text(f"! {fault(row)}", "bold red"), width)
    for answer in frame.answers:
        lines += _answer(match, answer, width, height - len(lines))
    answered = {answer.seat for answer in frame.answers}
    for other in frame.asked:
        if other not in answered:
            told = f"The turn of seat {other} · {match.players[other]}."
            lines += broken(Text(f"{told} What it is offered and thinks, seat {seat} is not told.", "dim"), width)
    if not frame.asked:
        lines += _result(match)
    return lines


def _answer(match: StoredMatch, answer: FrameAnswer, width: int, height: int) -> Iterator[Text]:
    number = answer.legal.index(answer.move) + 1
    yield Text.assemble(
        (f"seat {answer.seat} · {match.players[answer.seat]}", "bold"), (f"  {number} of {len(answer.legal)}", "dim")
    )
    told = [*broken(_time(answer, limits(match)), width)]
    if answer.said:
        told += broken(Text(f"says: {answer.said}", "italic"), width)
    for note in answer.notes:
        # What the bot printed over this question is kept as a note that says so itself.
        told += broken(Text.assemble(("" if note.startswith("printed: ") else "note: ", "dim"), note), width)
    # What it thought is looked for more often than what else it might have played.
    yield from _moves(answer.legal, answer.move, width, max(LEAST, min(FEW, height - 1 - len(told))))
    yield from told


def _moves(legal: Sequence[str], chosen: str, width: int, most: int) -> list[Text]:
    """Return the moves, the chosen one between arrows; of more lines than `most` those around it."""
    shown = [Text(f"▸{move}◂", "bold reverse") if move == chosen else Text(f" {move} ") for move in legal]
    lines = flow(shown, width, 1)
    if len(lines) <= most:
        return lines
    place = next(number for number, line in enumerate(lines) if "▸" in line.plain)
    first = max(0, min(place - most // 2, len(lines) - most))
    return lines[first : first + most]


def _time(answer: FrameAnswer, clock: ClockLimits | None) -> Text:
    if answer.default:
        return Text("played by default: no good answer came", "bold red")
    if answer.spent is None:
        return Text("its time is not known", "dim")
    text = Text(f"took {duration(answer.spent.micros)}")
    if answer.spent.bank is not None and clock is not None and clock.bank:
        share = answer.spent.bank / clock.bank
        full = round(share * BAR)
        text.append("  bank ").append("█" * full + "░" * (BAR - full), "green" if share > 0.25 else "red")
        text.append(f" {duration(answer.spent.bank)}")
    return text


def _result(match: StoredMatch) -> Iterator[Text]:
    yield Text("The match is over", "bold")
    unit = installed(match.event.game).unit
    rows = zip(match.row.seats, match.players, range(len(match.players)), strict=True)
    for each, name, seat in sorted(rows, key=lambda row: row[0].rank):
        forfeit = ", forfeited" if each.forfeit else ""
        score = in_units(match.event.game, each.score)
        yield Text(f"{each.rank:>3}. seat {seat} · {name}: {score:g} {unit}{forfeit}")
