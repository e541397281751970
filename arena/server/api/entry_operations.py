"""Operations on entries of leagues by their owners and organisers: retire, readmit, challenge others."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta, Struct

from arena.league import control
from arena.league.challenges import challenge
from arena.league.store.leagues import Leagues
from arena.server.api.batch_values import BatchValue, batch_value
from arena.server.api.league_operations import NO_ENTRY, NO_LEAGUE, EntryNumber, LeagueName
from arena.server.api.league_values import EntryValue, find_entry
from arena.server.api.operations import Call, Located, Reason, Text, operation
from arena.server.leagues.cache import LeagueCache
from arena.server.requests.parameters import LARGEST_NUMBER
from arena.store import Store
from arena.store.people.account_tokens import MANAGE, SUBMIT
from arena.values.texts import printable

MOST_CHALLENGED = 100
"""Names in a request. How many a league allows follows from the size of its batches."""


class Challenge(Struct, frozen=True, forbid_unknown_fields=True):
    """Deals that a bot of yours plays against others, unrated.

    bot, against: names of bots, as on the board, with or without a version (club/owl@2); without one, the newest.
    """

    bot: Text
    against: Annotated[list[Text], Meta(min_length=1, max_length=MOST_CHALLENGED)]
    deals: Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)] = 100
    """The least number of deals to be played, each in all rotations: tables are played whole."""


class EntryOperations:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache) -> None:
        self._store = store
        self._leagues = leagues

    @operation("retireEntry", "POST", "/leagues/{league}/entries/{entry}/retire", NO_ENTRY, scopes=(SUBMIT, MANAGE))
    def retire(self, call: Call, league: LeagueName, entry: EntryNumber, body: Reason) -> EntryValue:
        """Retire an entry: its owner or an organiser may."""
        return self._decided(control.retire_entry, call, league, entry, body)

    @operation("readmitEntry", "POST", "/leagues/{league}/entries/{entry}/readmit", NO_ENTRY, scopes=(SUBMIT, MANAGE))
    def readmit(self, call: Call, league: LeagueName, entry: EntryNumber, body: Reason) -> EntryValue:
        """Readmit an entry: its owner or an organiser may."""
        return self._decided(control.readmit_entry, call, league, entry, body)

    @operation(
        "challenge",
        "POST",
        "/leagues/{league}/challenges",
        NO_LEAGUE,
        status=HTTPStatus.CREATED,
        scopes=(SUBMIT, MANAGE),
    )
    def challenge(self, call: Call, league: LeagueName, body: Challenge) -> Located[BatchValue]:
        """Have a bot play others, unrated: its owner or an organiser may."""
        board = self._leagues.of(league).view().board
        by, organiser = call.account.owner, call.manages
        number = challenge(
            self._store, self._store.where, board, body.bot, body.against, body.deals, by, organiser=organiser
        )
        path = f"/leagues/{quote(board.league.name, safe='')}/batches/{number}"
        return Located(batch_value(self._store, board.league, number), path)

    def _decided(self, decide: Callable[..., object], call: Call, league: str, entry: int, body: Reason) -> EntryValue:
        row, number = Leagues(self._store).named(league), self._entry(call, league, entry).entry
        decide(self._store, row, number, call.account.owner, printable(body.reason, ""), organiser=call.manages)
        return self._entry(call, league, entry)

    def _entry(self, call: Call, league: str, number: int) -> EntryValue:
        return find_entry(self._leagues.of(league).view(), number, call.access.display_names(self._store))
