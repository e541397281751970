"""A board as JSON and CSV, as the command and the pages give it."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.league.results.board import Board, BoardRow
from arena.ratings.ranking_output import as_csv
from arena.values.display_names import NO_NAMES


def board_json(board: Board, names: Mapping[str, str] = NO_NAMES) -> dict[str, Any]:
    """Return a board as JSON values.

    names: the display names of owners that its reader sees.
    """
    return {
        "league": board.league.name,
        "group": board.group,
        "game": board.league.game,
        "state": board.league.state,
        "matches": board.matches,
        "batches": board.results,
        "rated": board.rated,
        "hidden_since": board.hidden,
        "repeats": None if board.repeats is None else board.repeats.to_json(),
        "rows": [row_json(row, names) for row in board.rows],
    }


def board_csv(board: Board, names: Mapping[str, str] = NO_NAMES) -> str:
    """Return the rows of a board as CSV, with a heading.

    names: as in `board_json`.
    """
    objects = [row_json(row, names) for row in board.rows]
    rows = []
    for values in objects:
        faults = " ".join(f"{kind}={count}" for kind, count in values["faults"].items())
        flags = " ".join(f"{flag['kind']}={flag['other'] or flag['number']}" for flag in values["flags"])
        rows.append(values | {"faults": faults, "flags": flags, "grants": " ".join(values["grants"])})
    return rows_csv(rows)


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return objects with the same keys as CSV, with a heading; nothing for none. No text runs as a formula."""
    return as_csv([list(rows[0]), *(row.values() for row in rows)]) if rows else ""


def row_json(row: BoardRow, names: Mapping[str, str] = NO_NAMES) -> dict[str, Any]:
    """Return a row of a board as JSON values.

    names: as in `board_json`.
    """
    return {
        "rank": row.rank,
        "entry": row.entry.number,
        "bot": row.entry.name,
        "owner": row.entry.owner,
        "state": row.entry.state,
        "elo": row.elo,
        "bound": row.bound,
        "ci95": row.ci95,
        "change": _rounded(row.change),
        "version_change": _rounded(row.version_change),
        "deals": row.deals,
        "matches": row.matches,
        "last_played": row.played.ended if row.played is not None else None,
        "ms_per_decision": round(row.charged_us / row.decisions / 1000, 4) if row.decisions else None,
        "faults": row.faults or {},
        "separated": row.separated,
        "flags": [flag._asdict() | {"share": round(flag.share, 4)} for flag in row.flags],
        "grants": list(row.entry.grants.words),
        "display_name": names.get(row.entry.owner),
        "group_rank": row.group_rank,
    }


def _rounded(change: float | None) -> float | None:
    return None if change is None else round(change, 2)
