"""Failures of bots' processes, in words and as JSON values."""

from collections.abc import Iterator
from typing import Any

from arena.store.failure_rows import ListedProcessFailure, ProcessFailureRow
from arena.store.rows import StoredMatch
from referee.process.exit_status import signal_name

MATCHES = 3
"""So many matches are named in a cell of a table."""

NAMED = 16
"""So many are named in a sentence."""


def ended_by(row: ProcessFailureRow) -> str:
    """Return how the process ended by itself, in a word or two; "-" where that is not known."""
    if row.signal is not None:
        return signal_name(row.signal)
    return "-" if row.exit_code is None else f"exit code {row.exit_code}"


def asked_in(listed: ListedProcessFailure) -> str:
    """Return the ids of the matches in which the process had a question open; "-" where there were none."""
    ids = listed.match_ids
    if not ids and listed.row.guilty is None:
        return "-"
    if listed.guilty_id is not None:
        return f"{listed.guilty_id} (guilty)"
    more = f" and {len(ids) - MATCHES} more" if len(ids) > MATCHES else ""
    return ", ".join(map(str, ids[:MATCHES])) + more


def last_line(row: ProcessFailureRow) -> str:
    """Return the last line that it printed and that holds anything."""
    return next((line for line in reversed(row.output.splitlines()) if line.strip()), "")


def match_lines(match: StoredMatch) -> Iterator[str]:
    """Yield the failures of processes that had a question of a match open, with what they printed last."""
    for row in match.failures:
        name = match.event.entrants[row.entrant].name
        yield f"{time_text(row)} UTC, a process of {name} failed ({row.kind}): {row.sentence}"
        yield from printed(row)


def match_values(match: StoredMatch) -> list[dict[str, Any]]:
    """Return the same as JSON values. matches: how many had a question open; guilty: whether this one was found so."""
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
    """Yield all that is known of a failure."""
    row = listed.row
    where = "a single match" if listed.tournament is None else f"tournament {listed.tournament}, phase {row.phase}"
    yield f"{time_text(row)} UTC, {where}: a process of {listed.bot} failed ({row.kind})"
    yield row.sentence
    match listed.match_ids:
        case []:
            yield "no question was open"
        case [one] if listed.guilty_id == one:
            yield f"a question of match {one} was open, which is guilty"
        case [one]:
            yield f"a question of match {one} was open"
        case ids:
            more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
            named = ", ".join(map(str, ids[:NAMED]))
            yield f"questions of {len(ids)} matches were open, so that none could be found guilty: {named}{more}"
    yield from printed(row)


def printed(row: ProcessFailureRow) -> Iterator[str]:
    """Yield what the process printed last, if anything."""
    if row.output.strip():
        yield "printed last" + (" (there was more before it):" if row.truncated else ":")
        yield from (f"    {line}" for line in row.output.splitlines())


def time_text(row: ProcessFailureRow) -> str:
    """Return when it failed as people read it, UTC."""
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
    """Return a failure of a list as JSON values."""
    told = {"tournament": listed.tournament, "bot": listed.bot, **failure_value(listed.row)}
    return {**told, "matches": listed.match_ids, "guilty": listed.guilty_id}
