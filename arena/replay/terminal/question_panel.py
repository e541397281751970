"""The question with its answers: moves, times, notes and faults; at the end the result. Or what just happened."""

from collections.abc import Callable, Iterator, Sequence

from rich.text import Text

from arena.record.answer_clock import ClockLimits, clock_limits
from arena.record.printed import PRINTED, note_blocks
from arena.record.text import duration, fault
from arena.replay.frames import Frame, FrameAnswer
from arena.replay.readable import Read
from arena.replay.story import Story, story_lines
from arena.replay.terminal.glyphs import flow, wrapped
from arena.values.rows import StoredMatch
from referee.engine.registry import game as find_game
from referee.engine.registry import in_units

MOST_MOVE_LINES = 6
"""The largest number of lines of legal moves; the chosen move is among them."""

LEAST_MOVE_LINES = 2
"""The number of such lines that is always available."""

BAR_WIDTH = 10
"""The width in characters of the bar that shows a time bank."""


def question_lines(
    match: StoredMatch,
    frame: Frame,
    seat: int | None,
    width: int,
    height: int,
    story: Callable[[], Story],
    read: Read = str,
) -> list[Text]:
    """Return the panel of a frame.

    seat: the perspective.
    height: the lines that are visible without scrolling.
    story: returns the story of the match, which is told at its end.
    read: returns a text of the game as people read it.
    """
    lines: list[Text] = []
    for row in frame.faults:
        lines += wrapped(Text(f"! {fault(row)}", "bold red"), width)
    for answer in frame.answers:
        lines += _answer(match, answer, width, height - len(lines), read)
    answered = {answer.seat for answer in frame.answers}
    for other in frame.asked:
        if other not in answered:
            sentence = f"The turn of seat {other} · {match.players[other]}."
            hidden = f"Its legal moves and notes are hidden from seat {seat}."
            lines += wrapped(Text(f"{sentence} {hidden}", "dim"), width)
    if not frame.asked:
        first, *moments = story_lines(story(), read)
        lines += wrapped(Text(f"The match is over: {first}", "bold"), width)
        lines += _result(match)
        for line in moments:
            lines += wrapped(Text(line), width)
    return lines


def event_lines(events: Sequence[str], width: int, read: Read = str) -> list[Text]:
    """Return the panel of an event frame: the log lines of its events, as `read` returns them."""
    return [line for event in events for line in wrapped(Text(read(event), "bold"), width)]


def _answer(match: StoredMatch, answer: FrameAnswer, width: int, height: int, read: Read) -> Iterator[Text]:
    number = answer.legal.index(answer.move) + 1
    yield Text.assemble(
        (f"seat {answer.seat} · {match.players[answer.seat]}", "bold"), (f"  {number} of {len(answer.legal)}", "dim")
    )
    details = [*wrapped(_time(answer, clock_limits(match, answer.seat)), width)]
    if answer.said:
        details += wrapped(Text(f"says: {answer.said}", "italic"), width)
    for block in note_blocks(answer.notes):
        if block.is_output and len(block.lines) == 1:
            details += wrapped(Text.assemble((PRINTED, "dim"), block.lines[0]), width)
        elif block.is_output:
            details += [Text(PRINTED, "dim"), *(part for line in block.lines for part in wrapped(Text(line), width))]
        else:
            details += wrapped(Text.assemble(("note: ", "dim"), block.lines[0]), width)
    # Readers look for notes more often than for other moves, so these get the lines that are left.
    most = max(LEAST_MOVE_LINES, min(MOST_MOVE_LINES, height - 1 - len(details)))
    yield from _moves(answer.legal, answer.move, width, most, read)
    yield from details


def _moves(legal: Sequence[str], chosen: str, width: int, most: int, read: Read) -> list[Text]:
    """Return the legal moves, the chosen one between arrows; if they need more than `most` lines, those around it."""
    labels = [Text(f"▸{read(move)}◂", "bold reverse") if move == chosen else Text(f" {read(move)} ") for move in legal]
    lines = flow(labels, width, 1)
    if len(lines) <= most:
        return lines
    chosen_line = next(number for number, line in enumerate(lines) if "▸" in line.plain)
    first = max(0, min(chosen_line - most // 2, len(lines) - most))
    return lines[first : first + most]


def _time(answer: FrameAnswer, clock: ClockLimits) -> Text:
    if answer.default:
        return Text("default move: no legal answer in time", "bold red")
    if answer.spent is None:
        return Text("time unknown", "dim")
    text = Text(f"took {duration(answer.spent.micros)}")
    if answer.spent.bank is not None and clock.bank:
        share = answer.spent.bank / clock.bank
        full = round(share * BAR_WIDTH)
        text.append("  bank ").append("█" * full + "░" * (BAR_WIDTH - full), "green" if share > 0.25 else "red")
        text.append(f" {duration(answer.spent.bank)}")
    return text


def _result(match: StoredMatch) -> Iterator[Text]:
    unit = find_game(match.event.game).unit
    rows = zip(match.row.seats, match.players, range(len(match.players)), strict=True)
    for result, name, seat in sorted(rows, key=lambda row: row[0].rank):
        forfeit = ", forfeited" if result.forfeit else ""
        score = in_units(match.event.game, result.score)
        yield Text(f"{result.rank:>3}. seat {seat} · {name}: {score:g} {unit}{forfeit}")
