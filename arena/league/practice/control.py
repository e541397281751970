"""Begin and remove practice leagues."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import structs
from sqlalchemy import Connection

from arena.league.control import LeagueError, TooManyDecisions
from arena.league.plan import anchors
from arena.league.plan.anchors import store_anchors
from arena.league.plan.definition import (
    PRACTICE_PREFIX,
    LeagueDefinition,
    LeagueSettings,
    define_league,
)
from arena.league.plan.secret_chain import new_season
from arena.league.store.league_rows import LeagueRow, NewEntry, NewLeague
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues, add_use, begun_on, load_practice
from arena.packs.manifest import Manifest
from arena.packs.names import split_version
from arena.plan.field import samples
from arena.store import NoSuchRow, Store
from arena.store.people.submissions import SubmissionRow
from arena.values.rows import TOMORROW, seconds_to_tomorrow, utc_now
from arena.values.versioned_names import owner as owner_of_bot
from referee.engine import registry

MOST_OPEN = 2
"""Practice leagues of an owner that play."""

MOST_KEPT = 4
"""Those of an owner with the closed ones."""

MOST_OF_ALL = 200
"""Those of all owners together: each may have some 10 MB of matches."""

BEGUN_PER_DAY = 10
"""Those that an owner may begin on a day (UTC)."""

MOST_SAMPLES = anchors.MOST
"""Sample bots in one."""

MOST_VERSIONS = 6
"""Versions of an owner's bots in one."""

BATCH_SECONDS = 5.0
"""The seconds of a core that a batch should take, as others wait for its end: a quarter of what is usual."""


class PracticeError(LeagueError):
    """A practice league that cannot be begun; the message says why."""


class TooMuchPractice(PracticeError, TooManyDecisions):
    """An owner has begun too many practice leagues on a day."""


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """What an owner asks for."""

    bots: Sequence[str]
    """The versions, as in club/owl@3; without a number the newest one."""
    league: str = ""
    """The league whose game, options, seats and clock it has; empty: `game` is played as usual."""
    game: str = ""
    samples: Sequence[str] = ()
    """The names of sample bots; none: as many as are usual."""


def begin_practice(store: Store, owner: str, by: str, request: PracticeRequest) -> LeagueRow:
    """Begin a practice league and return it.

    owner: whose it is.
    by: the account that asks for it.

    Raises PracticeError where the request cannot be played, or the owner has too many; TooMuchPractice where it has
    begun too many today; NoSuchRow, UnknownGame or PlanError for a league or a game that cannot be played.
    """
    definition = _definition(store, request)
    rows = _versions(store, owner, request.bots, definition.game)
    names = _samples(request.samples, definition.game)
    now = datetime.now(UTC)

    def check(connection: Connection) -> None:
        _check_room(connection, owner, now)
        add_use(connection, owner, now, begun=1)

    with store.read() as connection:
        _check_room(connection, owner, now)  # before sample bots are stored for nothing
    own = [NewEntry(row.title, (row.name, row.version), "") for row in rows]
    scale = store_anchors(store, definition, names)
    season = new_season(1, now.date())
    name = f"{PRACTICE_PREFIX}{secrets.token_hex(4)}"
    new = NewLeague(name, definition.game, definition.to_json(), season, owner)
    return Leagues(store).create(new, [*scale, *own], by, check=check)


def remove_practice_league(store: Store, owner: str | None, name: str) -> None:
    """Remove a practice league: nobody sees it any more.

    owner: whose it must be; None: anybody's.

    Raises NoSuchRow if there is none.
    """
    found = [row for row in PracticeLeagues(store).all(owner) if row.name == name]
    if not found:
        raise NoSuchRow(f"there is no practice league {name}")
    PracticeLeagues(store).remove(found[0].id)


def let_enter(store: Store, owner: str | None, title: str) -> None:
    """Let a version that was handed in for practice alone enter leagues and tournaments, as if it was received now.

    owner: whose bot it must be; None: anybody's.
    title: as club/owl@3.

    Raises PracticeError if the owner has no such version; StaysInPractice if it may not.
    """
    split = split_version(title)
    if split is None or split[1] is None or (owner is not None and owner_of_bot(split[0]) != owner):
        raise PracticeError(f"you have no version {title} for practice alone: name one as club/owl@3")
    store.submissions.let_enter(split[0], split[1])


def can_practise(store: Store, owner: str) -> list[SubmissionRow]:
    """Return the versions of an owner's bots that may practise, by name, the newest first."""
    rows = [row for row in store.submissions.all(practice=True) if owner_of_bot(row.name) == owner and _may_play(row)]
    return sorted(rows, key=lambda row: (row.name, -row.version))


def _may_play(row: SubmissionRow) -> bool:
    return row.retired is None and bool(row.files)


def _definition(store: Store, request: PracticeRequest) -> LeagueDefinition:
    """Return the definition: of the game as usual, or as that of a league."""
    if bool(request.league) == bool(request.game):
        raise PracticeError("name either the league or the game for which you practise")
    if request.league:
        definition = LeagueDefinition.from_json(Leagues(store).named(request.league).definition)
        definition.check_rules()
    else:
        rules = registry.game(request.game)
        definition = define_league(rules, rules.options.parse({}))
    usual = LeagueSettings()
    own = {name: getattr(usual, name) for name in structs.asdict(usual) if name not in ("seats", "deals")}
    return structs.replace(
        definition,
        **{**own, "active_per_owner": MOST_VERSIONS},
        batch_seconds=BATCH_SECONDS,
        placement_seconds=min(BATCH_SECONDS, definition.placement_seconds),
        challenges_per_day=0,
    )


def _versions(store: Store, owner: str, bots: Sequence[str], game: str) -> list[SubmissionRow]:
    """Return the versions of an owner that are named. Raises PracticeError."""
    if not 1 <= len(set(bots)) <= MOST_VERSIONS:
        raise PracticeError(f"choose 1 to {MOST_VERSIONS} versions of your bots, not {len(set(bots))}")
    known = can_practise(store, owner)
    found: dict[str, SubmissionRow] = {}
    for bot in bots:
        row = next((row for row in known if bot in (row.title, row.name)), None)
        if row is None:
            raise PracticeError(f"you have no bot {bot} that may play: name versions that were accepted, as club/owl@3")
        if not Manifest.from_json(row.manifest).plays(game):
            raise PracticeError(f"{row.title} does not play {game}")
        found[row.title] = row
    return list(found.values())


def _samples(names: Sequence[str], game: str) -> list[str] | None:
    """Return the sample bots that are named; None where none is. Raises PracticeError."""
    playing = list(samples(game))
    if wrong := [name for name in names if name not in playing]:
        raise PracticeError(f"{wrong[0][:80]} is no sample bot that plays {game}: name some of {', '.join(playing)}")
    chosen = list(dict.fromkeys(names))
    if len(chosen) > MOST_SAMPLES:
        raise PracticeError(f"a practice league has {MOST_SAMPLES} sample bots at most, not {len(chosen)}")
    return chosen or None


def _check_room(connection: Connection, owner: str, now: datetime) -> None:
    """Raise PracticeError or TooMuchPractice if an owner may begin no further league now."""
    rows = load_practice(connection, None)
    own = [row for row in rows if row.owner == owner]
    if sum(row.is_open for row in own) >= MOST_OPEN:
        raise PracticeError(f"you have {MOST_OPEN} practice leagues that play, the most: remove one first")
    if len(own) >= MOST_KEPT:
        raise PracticeError(f"you have {MOST_KEPT} practice leagues, the most: remove one first")
    if len(rows) >= MOST_OF_ALL:
        raise PracticeError("the server has as many practice leagues as it can keep: try again tomorrow")
    if begun_on(connection, owner, now) >= BEGUN_PER_DAY:
        raise TooMuchPractice(
            f"the most practice leagues of an owner on a day are {BEGUN_PER_DAY}: the next time may be {TOMORROW}",
            seconds_to_tomorrow(utc_now()),
        )
