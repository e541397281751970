"""Groups of a league, such as the classes of a school: a board for each, within the joint rating of all.

The group of an entry is that of the account that owns it, as it is now; a team has the group of its members where all
have the same. Whether visitors may choose a group on the board is decided for each league, and stands in its log:
nobody but organisers may before.

Means of groups are not compared. Who takes part is no sample of a group, and each new version moves the mean, so an
error bar that follows from the matches alone would promise more than is known.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from arena.league.results.board import Board
from arena.league.store.leagues import Leagues
from arena.results.control import actor
from arena.store import Store
from arena.values.errors import ArenaError

SHOW, HIDE = "show-groups", "hide-groups"
"""The kinds of the decisions whether everybody may choose a group."""

NO_GROUPS: Mapping[str, str] = {}
"""The groups of nobody, by the names of accounts."""


class GroupError(ArenaError):
    """A decision on groups that changes nothing."""


def are_public(store: Store, league: int) -> bool:
    """Return whether everybody may choose a group on the board of a league."""
    numbers = {
        kind: max((row.number for row in Leagues(store).newest_decisions(league, kind, 1)), default=0)
        for kind in (SHOW, HIDE)
    }
    return numbers[SHOW] > numbers[HIDE]


def set_public(store: Store, name: str, by: str | None, reason: str, *, is_public: bool) -> None:
    """Let everybody choose a group on the board of a league, or organisers alone.

    Raises GroupError if it is so already, NoSuchRow if there is no league of that name.
    """
    league = Leagues(store).named(name)
    if not Leagues(store).decide_if(
        league.id, actor(by), SHOW if is_public else HIDE, reason, lambda: are_public(store, league.id) != is_public
    ):
        who = "everybody sees" if is_public else "organisers alone see"
        raise GroupError(f"{who} the groups of the league {name} already")


def groups_of(board: Board, groups: Mapping[str, str]) -> dict[str, int]:
    """Return how many active entries each group has, by its name.

    groups: the group of each owner.
    """
    names = [groups[row.entry.owner] for row in board.rows if row.entry.is_active and row.entry.owner in groups]
    return {name: names.count(name) for name in sorted(set(names))}


def board_of(board: Board, groups: Mapping[str, str], group: str) -> Board:
    """Return the board of a group: its entries in the order of the whole board, with their places among themselves.

    Whether an entry is separated from the one above is known where no entry of others stands between them.

    groups: the group of each owner.
    """
    places, ranks = count(1), {row.rank for row in board.rows if groups.get(row.entry.owner) == group}
    rows = [
        replace(
            row,
            group_rank=None if row.rank is None else next(places),
            separated=row.separated if row.rank is not None and row.rank - 1 in ranks else None,
        )
        for row in board.rows
        if groups.get(row.entry.owner) == group
    ]
    return replace(board, rows=tuple(rows), group=group)
