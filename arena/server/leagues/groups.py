"""The groups of a league, as far as a visitor may see them."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.league.groups import NO_GROUPS, are_public, board_of, groups_of
from arena.league.results.board import Board
from arena.server.access import Access
from arena.store import Store

LONGEST = 200
"""Characters of the name of a group in an address; it has fewer."""


class GroupChoice(NamedTuple):
    """What a visitor chooses among."""

    names: tuple[str, ...]
    """The groups with active entries that the visitor may see."""
    chosen: str
    """The group that is asked for; empty: none, or groups are not shown."""
    board: Board
    """The board of that group, or the whole board."""

    @property
    def page(self) -> str:
        """What tells the live page of a group from those of others; empty for the whole board."""
        return f" of {self.chosen!r}" if self.chosen else ""


def choose(store: Store, board: Board, access: Access, query: Mapping[str, str]) -> GroupChoice:
    """Return the board of the group that a query asks for.

    board: the whole board.
    query: the parameters in the URL, of which this reads `group`. Where the visitor may see no groups, and for a group
        without entries, the answer is the same: that of no such group.
    """
    group = query.get("group", "")[:LONGEST]
    groups = store.accounts.groups() if access.organiser or are_public(store, board.league.id) else NO_GROUPS
    names = tuple(groups_of(board, groups))
    return GroupChoice(names, group, board_of(board, groups, group) if group else board)
