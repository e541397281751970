"""Operations on entries of leagues by their owners and organisers: retire, readmit, challenge others."""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta, Struct
from starlette.responses import Response

from arena.league import control
from arena.league.challenges import challenge
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.server.api.batch_values import BatchValue, batch_value
from arena.server.api.league_operations import NO_ENTRY, NO_LEAGUE
from arena.server.api.league_values import EntryValue, find_entry
from arena.server.api.negotiation import encoded
from arena.server.api.operations import PREFIX, Call, Operation, Reason, Text
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

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        one = "/leagues/{league}"
        return [
            *(
                Operation(
                    f"{word}Entry",
                    "POST",
                    f"{one}/entries/{{entry:number}}/{word}",
                    f"{word.capitalize()} an entry: its owner or an organiser may.",
                    self.decide,
                    EntryValue,
                    NO_ENTRY,
                    scopes=(SUBMIT, MANAGE),
                    body=Reason,
                )
                for word in ("retire", "readmit")
            ),
            Operation(
                "challenge",
                "POST",
                f"{one}/challenges",
                "Have a bot play others, unrated: its owner or an organiser may.",
                self.challenge,
                BatchValue,
                NO_LEAGUE,
                status=HTTPStatus.CREATED,
                scopes=(SUBMIT, MANAGE),
                body=Challenge,
            ),
        ]

    def decide(self, call: Call) -> EntryValue:
        """Retire or readmit an entry."""
        decide = control.retire_entry if call.request.url.path.endswith("/retire") else control.readmit_entry
        decide(
            self._store,
            self._league(call),
            self._entry(call).entry,
            call.account.name,
            printable(call.body.reason, ""),
            organiser=call.manages,
        )
        return self._entry(call)

    def challenge(self, call: Call) -> Response:
        """Have a bot play others."""
        body, board = call.body, self._leagues.of(call.path["league"]).view().board
        by, organiser = call.account.name, call.manages
        number = challenge(
            self._store, self._store.where, board, body.bot, body.against, body.deals, by, organiser=organiser
        )
        response = encoded(call.request, batch_value(self._store, board.league, number), HTTPStatus.CREATED)
        response.headers["location"] = f"{PREFIX}/leagues/{quote(board.league.name, safe='')}/batches/{number}"
        return response

    def _entry(self, call: Call) -> EntryValue:
        return find_entry(self._leagues.of(call.path["league"]).view(), call.path["entry"])

    def _league(self, call: Call) -> LeagueRow:
        return Leagues(self._store).named(call.path["league"])
