"""The log as lines for people, or as JSON values.

Lines of the game's log start at the margin; decisions and faults are indented:

    seat 1 is dealt 8
        3. seat 1: exchange        1 of 2: keep, exchange        95 µs
           "an 8 is worth keeping, but I know who holds the 14"
        !  seat 2: timeout (the last strike: ranked last): no answer within 1 s and the bank
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from arena.record.match_log import Entry, LogDecision, LogEvent
from arena.record.printed import note_blocks
from arena.values.rows import FaultRow, MatchRow, StoredMatch
from referee.engine.registry import in_units


def duration(micros: float) -> str:
    """Format a time in µs with a suitable unit: 85 µs, 1.2 ms, 3.4 s."""
    if micros < 1:
        return "under 1 µs"
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if micros >= size:
            return f"{micros / size:.1f} {unit}" if micros < 10 * size else f"{micros / size:.0f} {unit}"
    return f"{micros:.0f} µs"


def heading(match: StoredMatch, seat: int | None = None, stage: str | None = None) -> Iterator[str]:
    """Yield the heading of a log: the match, its options, its players and the perspective.

    stage: what the stage of its tournament is called; None where that has none.
    """
    event, row = match.event, match.row
    where = f"match {match.id}" + (f" of tournament {match.tournament_id}" if match.tournament_id else "")
    where += f", {stage}" if stage else ""
    yield f"{where}: {event.game}, {len(row.seats)} seats, deal {row.deal}, rotation {row.rotation}"
    if event.options:
        yield "options: " + ", ".join(f"{name}={value}" for name, value in sorted(event.options.items()))
    for number, name in enumerate(match.players):
        yield f"seat {number}: {name}"
    yield "the whole log" if seat is None else f"the log as seat {seat} could see it"


def standstill(row: MatchRow) -> Iterator[str]:
    """Yield a sentence where the machine stood still during a match."""
    if row.standstill_ms:
        yield f"the machine stood still for {duration(row.standstill_ms * 1000)} meanwhile, which nobody is charged for"


def ending(match: StoredMatch) -> Iterator[str]:
    """Yield the result, which follows the log."""
    for number, (name, seat) in enumerate(zip(match.players, match.row.seats, strict=True)):
        forfeit = ", forfeited" if seat.forfeit else ""
        score = in_units(match.event.game, seat.score)
        yield f"seat {number}: {name}, rank {seat.rank}, score {score}{forfeit}"
    yield from standstill(match.row)


def lines(entries: Iterable[Entry], names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a log.

    names: of the seats; empty: they are called by their numbers.
    """
    for entry in entries:
        match entry:
            case LogEvent():
                yield entry.text
            case LogDecision():
                yield from _decision(entry, names)
            case FaultRow():
                yield f"    !  {fault(entry, names)}"


def fault(row: FaultRow, names: Sequence[str] = ()) -> str:
    """Format a fault as one line.

    names: as `lines` takes them.
    """
    last = " (the last strike: ranked last)" if row.forfeit else ""
    return f"{_seat(row.seat, names)}: {row.kind}{last}: {row.sentence}"


def _seat(seat: int, names: Sequence[str]) -> str:
    return names[seat] if names else f"seat {seat}"


def _decision(entry: LogDecision, names: Sequence[str]) -> Iterator[str]:
    time = "default move" if entry.default else "" if entry.micros is None else duration(entry.micros)
    legal = f"{entry.legal.index(entry.move) + 1} of {len(entry.legal)}: {', '.join(entry.legal)}"
    move = entry.words or entry.move
    yield f"    {entry.ply}. {_seat(entry.seat, names)}: {move}    [{legal}]" + (f"    {time}" if time else "")
    for block in note_blocks(entry.notes):
        if block.is_output and len(block.lines) == 1:
            yield f"       printed: {block.lines[0]}"
        elif block.is_output:
            yield "       printed:"
            yield from (f"           {line}" for line in block.lines)
        else:
            yield f'       "{block.lines[0]}"'


def values(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return a log as JSON values, each with a `type`: "event", "decision" or "fault"."""
    return [_value(entry) for entry in entries]


def _value(entry: Entry) -> dict[str, Any]:
    match entry:
        case LogEvent():
            return {"type": "event", "text": entry.text}
        case LogDecision():
            return {
                "type": "decision",
                "ply": entry.ply,
                "seat": entry.seat,
                "move": entry.move,
                "legal": list(entry.legal),
                "default": entry.default,
                "microseconds": None if entry.micros is None else round(entry.micros, 1),
                "notes": list(entry.notes),
            }
        case FaultRow():
            return {"type": "fault", **fault_value(entry)}


def fault_value(row: FaultRow) -> dict[str, Any]:
    """Return a fault as JSON values."""
    return {"ply": row.ply, "seat": row.seat, "kind": row.kind, "sentence": row.sentence, "forfeit": row.forfeit}
