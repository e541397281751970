"""Process failures, in words and as JSON values."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena.record.printed import folded, python_cause
from arena.values.failure_rows import ListedProcessFailure, ProcessFailureRow
from arena.values.rows import StoredMatch
from referee.process.exit_status import signal_name

MATCHES_IN_CELL = 3
"""The largest number of matches named in a table cell."""

MATCHES_IN_SENTENCE = 16
"""The largest number of matches named in a sentence."""


def ended_by(row: ProcessFailureRow) -> str:
    """Return how the process ended on its own: a signal or an exit code; "-" if unknown."""
    if row.signal is not None:
        return signal_name(row.signal)
    return "-" if row.exit_code is None else f"exit code {row.exit_code}"


def asked_in(listed: ListedProcessFailure) -> str:
    """Return the ids of the matches in which the process had an open question; "-" if there are none."""
    ids = listed.match_ids
    if not ids and listed.row.guilty is None:
        return "-"
    if listed.guilty_id is not None:
        return f"{listed.guilty_id} (guilty)"
    more = f" and {len(ids) - MATCHES_IN_CELL} more" if len(ids) > MATCHES_IN_CELL else ""
    return ", ".join(map(str, ids[:MATCHES_IN_CELL])) + more


def last_line(row: ProcessFailureRow) -> str:
    """Return the last non-blank line of the output."""
    return next((line for line in reversed(row.output.splitlines()) if line.strip()), "")


def match_lines(match: StoredMatch, shown: Sequence[str] = ()) -> Iterator[str]:
    """Yield the failures of processes with an open question of a match, with their last output.

    shown: lines of output that stand above, indented; what is among them is not repeated.
    """
    above = "\n".join(shown)
    for row in match.failures:
        name = match.event.entrants[row.entrant].name
        yield f"{time_text(row)} UTC, a process of {name} failed ({row.kind}): {row.sentence}"
        lines = list(output_lines(row))
        if not lines or "\n".join(lines[1:]) not in above:
            yield from lines
            above += "\n" + "\n".join(lines)


def match_values(match: StoredMatch) -> list[dict[str, Any]]:
    """Return the failures of processes with an open question of a match, as JSON values.

    Field `matches` counts the matches with an open question; `guilty` tells whether this match is the guilty one.
    """
    return [
        {
            "bot": match.event.entrants[row.entrant].name,
            **failure_value(row),
            "matches": len(row.matches),
            "guilty": row.guilty == match.row.number,
        }
        for row in match.failures
    ]


def failure_lines(listed: ListedProcessFailure) -> Iterator[str]:
    """Yield the report of a failure: time, bot, kind, matches and last output."""
    row = listed.row
    where = "a single match" if listed.tournament is None else f"tournament {listed.tournament}, phase {row.phase}"
    yield f"{time_text(row)} UTC, {where}: a process of {listed.bot} failed ({row.kind})"
    cause = python_cause(row.output.splitlines())
    yield f"{row.sentence}; {cause}" if cause else row.sentence
    match listed.match_ids:
        case []:
            yield "no question was open"
        case [match_id] if listed.guilty_id == match_id:
            yield f"only match {match_id} had an open question: it is guilty"
        case [match_id]:
            yield f"match {match_id} had an open question"
        case ids:
            more = f" and {len(ids) - MATCHES_IN_SENTENCE} more" if len(ids) > MATCHES_IN_SENTENCE else ""
            names = ", ".join(map(str, ids[:MATCHES_IN_SENTENCE]))
            yield f"{len(ids)} matches had open questions, so no single match is guilty: {names}{more}"
    yield from output_lines(row)


def output_lines(row: ProcessFailureRow) -> Iterator[str]:
    """Yield the last output of the process, if any."""
    if row.output.strip():
        yield "last output" + (" (its beginning is cut off):" if row.truncated else ":")
        yield from (f"    {line}" for line in folded(row.output.splitlines()))


def time_text(row: ProcessFailureRow) -> str:
    """Return the time of the failure without its offset, in UTC."""
    return row.time[:-6].replace("T", " ")


def failure_value(row: ProcessFailureRow) -> dict[str, Any]:
    """Return a failure as JSON values, without its matches."""
    return {
        "time": row.time,
        "time_us": row.time_us,
        "phase": row.phase,
        "kind": row.kind,
        "sentence": row.sentence,
        "exit_code": row.exit_code,
        "signal": row.signal,
        "output": row.output,
        "truncated": row.truncated,
    }


def listed_failure_value(listed: ListedProcessFailure) -> dict[str, Any]:
    """Return a listed failure as JSON values, with its tournament and its matches."""
    value = {"tournament": listed.tournament, "bot": listed.bot, **failure_value(listed.row)}
    return {**value, "matches": listed.match_ids, "guilty": listed.guilty_id}
