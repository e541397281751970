"""Operations on practice leagues, which nobody but their owner and organisers sees."""

from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.exceptions import HTTPException

from arena.league.practice.control import (
    MOST_SAMPLES,
    MOST_VERSIONS,
    PracticeRequest,
    begin_practice,
    let_enter,
    remove_practice_league,
)
from arena.league.store.practice_leagues import PracticeLeagues, PracticeRow
from arena.server.api.operations import PREFIX, Call, Located, operation
from arena.store import Store
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT

PracticeName = Annotated[str, Meta(min_length=1, description="The name of a practice league.")]

NO_PRACTICE = f"there is no practice league {{league}}: {PREFIX}/practice lists yours"

OFF = "the organiser of this server allows no practice: `arena serve --practice-cpu` would"

Name = Annotated[str, Meta(min_length=1, max_length=200)]


class PracticeValue(Struct, frozen=True):
    """A practice league. Its board and batches are those of a league: /leagues/NAME/board and so on."""

    league: str
    """Its name."""
    owner: str
    game: str
    state: str
    """open: it is played in idle time; closed: it has had all its matches."""
    bots: list[str]
    """The versions that practise, without the sample bots."""
    matches: int
    """How many it has had, with those that wait to be played."""
    created: str
    kept_until: str
    """The day on which it goes unless its owner looks at it."""


class PracticeList(Struct, frozen=True):
    """Practice leagues."""

    practice: list[PracticeValue]
    """The newest first."""


class NewPractice(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be played. Either a league or a game is named."""

    bots: Annotated[list[Name], Meta(min_length=1, max_length=MOST_VERSIONS)]
    """Versions of your bots, as club/owl@3; without a number the newest one."""
    league: Annotated[str, Meta(max_length=200)] = ""
    """The league whose game, options, seats and clock it has."""
    game: Annotated[str, Meta(max_length=200)] = ""
    """The game, which is played as usual."""
    samples: Annotated[list[Name], Meta(max_length=MOST_SAMPLES)] = []
    """Sample bots that play along; none: the usual ones."""


class NamedVersion(Struct, frozen=True, forbid_unknown_fields=True):
    """A version of a bot of yours."""

    bot: Name
    """As club/owl@3."""


class LetEnter(Struct, frozen=True):
    """A version that enters leagues and tournaments from now on."""

    bot: str


class Removed(Struct, frozen=True):
    """A practice league that is gone."""

    league: str


class PracticeOperations:
    """The handlers.

    is_on: whether practice leagues are played here.
    """

    def __init__(self, store: Store, *, is_on: bool) -> None:
        self._store = store
        self._is_on = is_on

    @operation("listPractice", "GET", "/practice", scopes=(READ,))
    def all(self, call: Call) -> PracticeList:
        """List your practice leagues; for organisers, those of all."""
        with self._store.snapshot():
            rows = PracticeLeagues(self._store).all(None if call.manages else call.account.owner)
            return PracticeList([self._value(row) for row in rows])

    @operation("beginPractice", "POST", "/practice", scopes=(SUBMIT,), status=HTTPStatus.CREATED)
    def begin(self, call: Call, body: NewPractice) -> Located[PracticeValue]:
        """Begin a practice league."""
        if not self._is_on:
            raise HTTPException(HTTPStatus.FORBIDDEN, OFF)
        asked = PracticeRequest(body.bots, body.league, body.game, body.samples)
        league = begin_practice(self._store, call.account.owner, call.account.name, asked)
        [row] = [row for row in PracticeLeagues(self._store).all(league.owner) if row.id == league.id]
        return Located(self._value(row), f"/leagues/{row.name}")

    @operation("removePractice", "POST", "/practice/{league}/remove", NO_PRACTICE, scopes=(SUBMIT, MANAGE))
    def remove(self, call: Call, league: PracticeName) -> Removed:
        """Remove a practice league with its matches."""
        remove_practice_league(self._store, None if call.manages else call.account.owner, league)
        return Removed(league)

    @operation("letEnter", "POST", "/practice/enter", scopes=(SUBMIT,))
    def let_enter(self, call: Call, body: NamedVersion) -> LetEnter:
        """Let a version that was handed in for practice alone enter leagues and tournaments.

        It counts as received now, wherever deadlines are.
        """
        let_enter(self._store, call.account.owner, body.bot)
        return LetEnter(body.bot)

    def _value(self, row: PracticeRow) -> PracticeValue:
        bots = PracticeLeagues(self._store).bots(row.id)
        state = "open" if row.is_open else "closed"
        return PracticeValue(row.name, row.owner, row.game, state, bots, row.matches, row.created, row.goes)
