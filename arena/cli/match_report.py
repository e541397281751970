"""Print a stored match: players, result, faults, and the output of its bots."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arena.cli.output import echo, table_text
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.language.message import Message
    from arena.values.rows import OutputRow, StoredMatch

SEATS = (
    Column("seat"),
    text_column("bot"),
    word_column("rank"),
    Column("score"),
    Column("answers", drop=1),
    Column("time each", drop=2),
    text_column("faults"),
)

TAIL = 5
"""The last lines of a bot's output, which are shown by default."""


def print_match(
    match: "StoredMatch", as_json: bool = False, whole: bool = False, stage: "Message | None" = None
) -> None:
    """Print a match.

    whole: whether to print the whole output of its bots.
    stage: what the stage of its tournament is called; None where that has none.
    """
    if as_json:
        echo(json_text(_object(match) | {"stage": stage}))
        return
    for line in _lines(match, whole, stage):
        echo(line)


def _lines(match: "StoredMatch", whole: bool, stage: "Message | None") -> Iterator[str]:
    from arena.record.text import duration, fault, standstill
    from arena.run.failure_report import match_lines

    event, row = match.event, match.row
    options = "".join(f" {name}={value}" for name, value in sorted(event.options.items()))
    where = (
        "a single match" if match.tournament_id is None else f"match {row.number} of tournament {match.tournament_id}"
    )
    yield f"match {match.id}: {event.game}{options}, {where}" + (f", {stage}" if stage else "")
    yield f"round {row.round}, table {row.table}, deal {row.deal}, rotation {row.rotation}"
    yield f"seed {row.seed.hex()}" + (f" (from --seed {event.seed})" if event.seed is not None else "")
    yield from _origin(match)
    yield f"{len(row.times)} answers in {duration(row.duration_ms * 1000)}, rules of version {row.behaviour}"
    yield from standstill(row)
    yield ""
    kinds = [
        ", ".join(fault_row.kind for fault_row in row.faults if fault_row.seat == seat)
        for seat in range(len(row.seats))
    ]
    seats = [
        (
            number,
            name,
            f"{seat.rank}" + (" (forfeited)" if seat.forfeit else ""),
            in_units(event.game, seat.score),
            seat.decisions,
            duration(seat.charged_us / seat.decisions) if seat.decisions else "-",
            kinds[number] or "-",
        )
        for number, (name, seat) in enumerate(zip(match.players, row.seats, strict=True))
    ]
    yield table_text(SEATS, seats)
    if row.faults:
        yield ""
        yield from (f"answer {fault_row.ply}, {fault(fault_row)}" for fault_row in row.faults)
    if row.notes:
        cut = (
            f", those of seat {', '.join(map(str, sorted(match.truncated_notes)))} not to the end"
            if match.truncated_notes
            else ""
        )
        yield ""
        yield f"{len(row.notes)} notes (arena replay {match.id} --text){cut}"
    printed = [
        line
        for seat, output in sorted(match.outputs.items())
        for line in output_lines(seat, match.players[seat], output, whole)
    ]
    yield from printed
    if match.failures:
        yield ""
        yield from match_lines(match, printed)


def _origin(match: "StoredMatch") -> Iterator[str]:
    """Yield a line for a match that continues another one."""
    if origin := _origin_object(match):
        seat = origin["redealt_for"]
        how = "with the same cards" if seat is None else f"with what seat {seat} could not know dealt anew"
        yield f"continues match {origin['match']} after {origin['answers']} answers, {how}"


def output_lines(seat: int, name: str, output: "OutputRow", whole: bool) -> Iterator[str]:
    """Yield the name that the bot of a seat gave itself, where it differs, and its output."""
    own_name = " ".join(filter(None, [output.name, output.version]))
    from arena.record.printed import folded, whole_tail

    printed = output.text.splitlines()
    shown = printed if whole else whole_tail(folded(printed), TAIL)
    if own_name and own_name != name.partition("#")[0]:
        yield f"seat {seat} calls itself {own_name}"
    if shown:
        left = " (not all was kept)" if output.truncated else ""
        more = f", the last {len(shown)} of {len(printed)} lines" if len(shown) < len(printed) else ""
        yield f"seat {seat} printed{more}{left}:"
        yield from (f"    {line}" for line in shown)


def _object(match: "StoredMatch") -> dict[str, Any]:
    """Return what --json prints."""
    from arena.record.text import fault_value
    from arena.run.failure_report import match_values

    event, row = match.event, match.row
    return {
        "id": match.id,
        "tournament": match.tournament_id,
        "number": row.number,
        "game": event.game,
        "options": event.options,
        "behaviour": row.behaviour,
        "round": row.round,
        "table": row.table,
        "deal": row.deal,
        "rotation": row.rotation,
        "seed": row.seed.hex(),
        "seed_hash": event.secret_hash,
        "answers": len(row.times),
        "duration_ms": row.duration_ms,
        "standstill_ms": row.standstill_ms,
        "seats": [
            {
                "seat": number,
                "bot": name,
                "score": in_units(event.game, seat.score),
                "rank": seat.rank,
                "decisions": seat.decisions,
                "charged_ms": round(seat.charged_us / 1000, 3),
                "forfeit": seat.forfeit,
                "notes_cut": number in match.truncated_notes,
                "output": _output_object(match.outputs.get(number)),
            }
            for number, (name, seat) in enumerate(zip(match.players, row.seats, strict=True))
        ],
        "opening": _origin_object(match),
        "faults": [fault_value(fault_row) for fault_row in row.faults],
        "process_failures": match_values(match),
        "notes": [{"ply": note.ply, "seat": note.seat, "text": note.text} for note in row.notes],
        "says": [{"ply": say.ply, "seat": say.seat, "text": say.text} for say in row.says],
    }


def _origin_object(match: "StoredMatch") -> dict[str, Any] | None:
    """Return the match that this one continues, after how many answers, and for which seat cards were redealt."""
    from arena.record.played_rules import stored_redeal

    if (opening := match.event.definition.opening) is None:
        return None
    redealt = stored_redeal(match)
    return {"match": opening[0], "answers": opening[1], "redealt_for": None if redealt is None else redealt.seat}


def _output_object(output: "OutputRow | None") -> dict[str, Any] | None:
    if output is None:
        return None
    return {"name": output.name, "version": output.version, "text": output.text, "truncated": output.truncated}
