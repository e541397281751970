"""Who looks at the pages, and what may be told to them."""

from dataclasses import dataclass, replace
from typing import cast

from starlette.requests import Request

from arena.errors import ArenaError
from arena.replay.owner_view import as_owner, owns, without_output
from arena.store import Store
from arena.store.accounts import ORGANISER, AccountRow
from arena.store.failure_rows import ListedProcessFailure
from arena.store.rows import StoredMatch


class MatchWithheld(ArenaError):
    """A match cannot be looked at before its tournament is over."""


@dataclass(frozen=True, slots=True)
class Access:
    """Whoever opens the pages.

    organiser: they may see everything at once. owner: whose bots' notes and output they read besides what is for
    everybody; None: nobody's. account: with which they are signed in.

    Hidden cards of a tournament that still runs could be told to bots that meet them in another rotation. So nobody but
    the organiser looks at its matches before it is over.
    """

    organiser: bool = True
    owner: str | None = None
    account: AccountRow | None = None

    def match(self, store: Store, id: int) -> StoredMatch:
        """Return a match as they may have it. Raises MatchWithheld, or NoSuchRow."""
        match = store.match(id)
        if self.organiser:
            return match
        played_in = match.tournament
        if played_in.id is not None and played_in.finished is None:
            raise MatchWithheld(
                f"match {id} can be looked at once tournament {played_in.id} is over: its deals are still played"
            )
        if self.owner is not None:
            return as_owner(match, self.owner)
        failures = tuple(map(without_output, match.failures))
        return replace(match, row=replace(match.row, notes=()), cut=frozenset(), outputs={}, failures=failures)

    def failure(self, listed: ListedProcessFailure) -> ListedProcessFailure:
        """Return a failure of a process as they may have it.

        In which matches it was asked, and what it printed, could tell of hidden cards too.
        """
        if self.organiser:
            return listed
        row = listed.row
        if not listed.over:
            row = replace(row, matches=(), guilty=None)
        if not listed.over or self.owner is None or not owns(self.owner, listed.bot):
            row = without_output(row)
        return replace(listed, row=row)


VISITOR = Access(organiser=False)
"""Whoever is not signed in, where people sign in."""


def account_access(account: AccountRow) -> Access:
    """Return what an account makes of who asks."""
    if account.role == ORGANISER:
        return Access(account=account)
    return Access(organiser=False, owner=account.name, account=account)


def access_of(request: Request) -> Access:
    """Return who asks, as `arena.web.middleware.Authentication` found out."""
    return cast(Access, request.scope["access"])
