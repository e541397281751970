"""The divisions of a league as pages, commands and the API show them: who is in which, and who would move now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from arena.league.divisions.decisions import DivisionDecision, DivisionDecisions, holders
from arena.league.divisions.rules import divide, division_of, ended_span
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.board import Board, BoardRow
from arena.league.store.league_rows import SeasonRow
from arena.store import Store

LATEST = 20
"""Decisions that are told."""

Los = Callable[[int, int], float | None]
"""Returns the probability that an entry is better than another; None if it is unknown."""


@dataclass(frozen=True, slots=True)
class DivisionRow:
    """An entry in its division."""

    place: int | None
    """The place in the division by the ratings now, from 1; None without a rating."""
    row: BoardRow
    move: Literal["up", "down", ""] = ""
    """Where it would go if the span ended now."""
    to: int | None = None
    """The number of the division to which it would go; None: it would stay."""
    other: int | None = None
    """The entry with which it would change places; None where it would get a free place, or stay."""
    sure: float | None = None
    """The probability that the better of the two is better; None where it is unknown."""


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """A division."""

    number: int
    rows: tuple[DivisionRow, ...]
    free: int
    """The number of its places that nobody has."""


@dataclass(frozen=True, slots=True)
class DivisionReport:
    """The divisions of a league at a moment."""

    tables: tuple[DivisionTable, ...]
    """The divisions, the highest first; one without a first decision, as all are in the lowest."""
    decisions: tuple[DivisionDecision, ...]
    """The latest decisions, the newest first."""
    lowest: int
    """The number of the lowest division."""
    next_day: str | None
    """The day on which the span ends, UTC, ISO 8601; None: with the season."""
    is_first: bool
    """Whether nothing is decided yet."""

    def division_of(self, entry: int) -> int | None:
        """Return the number of the division of an active entry; None of others."""
        numbers = (table.number for table in self.tables if any(row.row.entry.number == entry for row in table.rows))
        return next(numbers, None)


def report_divisions(
    store: Store, board: Board, season: SeasonRow, los: Los = lambda *_: None
) -> DivisionReport | None:
    """Return the divisions of a league; None if it has none.

    board: with all entries, those that are no longer active too.
    season: the newest.
    """
    definition = LeagueDefinition.from_json(board.league.definition)
    if not definition.divisions:
        return None
    decisions = DivisionDecisions(store, board.league.id).latest(LATEST)
    entries = {row.entry.number: row.entry for row in board.rows}
    anchors = [number for number, entry in entries.items() if entry.is_anchor]
    playing = {number: row for row in board.rows if row.entry.is_active and (number := row.entry.number) not in anchors}
    newest = decisions[0] if decisions else None
    held = holders(newest.places, entries, list(playing)) if newest is not None else ()
    coming = divide(Snapshot(board.results, [_rated(row) for row in playing.values()]), anchors, held, definition)
    moves = {entry: (old, new) for entry, old, new in coming.moves(held, definition.divisions)}
    others = {entry: pair for pair in coming.exchanges for entry in pair}
    lowest = definition.divisions if decisions else 1
    here = division_of(held)
    tables = []
    for number in range(1, lowest + 1):
        members = [row for entry, row in playing.items() if here.get(entry, lowest) == number]
        ordered = sorted(members, key=lambda row: (row.elo is None, -(row.elo or 0.0), row.entry.number))
        rows = tuple(_row(place, row, moves, others, los) for place, row in enumerate(ordered, 1))
        free = 0 if number == lowest else max(definition.division_size - len(members), 0)
        tables.append(DivisionTable(number, rows, free))
    return DivisionReport(
        tuple(tables), tuple(decisions), definition.divisions, _next_day(definition, season), not decisions
    )


def report_json(report: DivisionReport, names: Mapping[int, str]) -> dict[str, Any]:
    """Return divisions as JSON values.

    names: of all entries.
    """
    return {
        "ends": report.next_day,
        "divisions": [
            {
                "division": table.number,
                "free": table.free,
                "rows": [
                    {
                        "place": row.place,
                        "rank": row.row.rank,
                        "entry": row.row.entry.number,
                        "bot": row.row.entry.name,
                        "owner": row.row.entry.owner,
                        "state": row.row.entry.state,
                        "elo": row.row.elo,
                        "bound": row.row.bound,
                        "ci95": row.row.ci95,
                        "move": row.move,
                        "to": row.to,
                        "other": row.other,
                        "sure": None if row.sure is None else round(row.sure, 4),
                    }
                    for row in table.rows
                ],
            }
            for table in report.tables
        ],
        "decisions": [
            {
                "season": decision.season,
                "span": decision.span,
                "decided": decision.created,
                "snapshot": decision.snapshot,
                "up": [{"entry": one, "bot": names.get(one, ""), "division": new} for one, new in decision.promoted],
                "down": [
                    {"entry": one, "bot": names.get(one, ""), "division": new}
                    for one, new in decision.relegated(report.lowest)
                ],
            }
            for decision in report.decisions
        ],
    }


def _rated(row: BoardRow) -> RatedEntry:
    elo = 0 if row.elo is None else round(row.elo)
    return RatedEntry(
        row.entry.number, row.entry.owner, elo, None, row.deals, 0, 0, is_placing=row.entry.state == "placing"
    )


def _row(
    place: int,
    row: BoardRow,
    moves: dict[int, tuple[int, int]],
    others: dict[int, tuple[int, int]],
    los: Los,
) -> DivisionRow:
    number, shown = row.entry.number, None if row.elo is None else place
    if number not in moves:
        return DivisionRow(shown, row)
    old, new = moves[number]
    move: Literal["up", "down"] = "up" if new < old else "down"
    if number not in others:
        return DivisionRow(shown, row, move, new)
    rising, falling = others[number]
    return DivisionRow(shown, row, move, new, falling if move == "up" else rising, los(rising, falling))


def _next_day(definition: LeagueDefinition, season: SeasonRow) -> str | None:
    """Return the day on which the span ends; None: with the season."""
    if not definition.division_days or season.frozen is not None:
        return None
    first_day = date.fromisoformat(season.first_day)
    days = (datetime.now(UTC).date() - first_day).days
    span = ended_span(max(days, 0), definition.division_days) + 1
    return (first_day + timedelta(days=span * definition.division_days)).isoformat()
