"""The definition of a league: everything that was decided when it was created.

It is stored with the league as JSON and hashed, and does not change.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta, ValidationError, structs

from arena.league.store.league_rows import BatchKind
from arena.values.canonical_json import HASH_VERSION
from arena.values.definition import MATCHES_AT_ONCE, Definition, Entrant, TimeControl
from arena.values.settings import MOST, Stored, setting
from arena.values.tournament_errors import PlanError
from referee.engine import registry
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.options import Options

VERSION = 1
"""Raised with every change to how draws and secrets follow from a definition."""


MOST_SEASON_DAYS = 365
"""Fewer than the days for which a season has secrets, so that some are left for its final."""

START_SECONDS = 0.105
"""The seconds of a core for the start of a Python bot with its sandbox: `arena bench --only languages`."""

START_SHARE = 0.15
"""The most of a standing batch's time that the starts of its processes may take."""

Number = Annotated[int, Meta(ge=0, le=MOST)]
Count = Annotated[int, Meta(ge=1, le=MOST)]
Amount = Annotated[float, Meta(ge=0, le=MOST)]

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


PRACTICE_PREFIX = "practice-"
"""With what the names of practice leagues begin, and of no others."""


def is_league_name(name: str) -> bool:
    """Return whether a league may have a name: up to 64 lower-case letters, digits and single hyphens.

    Those of practice leagues are theirs alone.
    """
    return _NAME.fullmatch(name) is not None and len(name) <= 64 and not name.startswith(PRACTICE_PREFIX)


class LeagueSettings(Stored, frozen=True, forbid_unknown_fields=True):
    """What an organiser chooses for a league beside its game and its clock."""

    seats: Annotated[
        int,
        setting("Seats at a table.", option="--seats", least=1, unset=0, usual="recommended by the game"),
    ] = 0
    """0: not chosen."""
    active_per_owner: Annotated[
        int,
        setting(
            "Bots of one owner that are active at a time; the oldest are retired for new ones.",
            option="--active",
            least=1,
            most=1000,
        ),
    ] = 1
    deals: Annotated[int, setting("Deals of a table in a batch.", option="--deals", least=1, most=1000)] = 25
    """In all rotations."""
    cpu_per_day: Annotated[
        int,
        setting(
            "Time that a bot may take to answer and to get ready on one day, before it rests until the next; 0: no "
            "limit.",
            "s",
            option="--cpu-per-day",
            least=0,
            usual="0",
        ),
    ] = 0
    thinking: Annotated[
        int,
        setting(
            "Time that a bot may take for its answers in a match, on average: by its check a slower one does not "
            "enter, by its matches it is suspended; 0: no limit.",
            "s",
            option="--thinking",
            least=0,
            usual="0",
        ),
    ] = 0
    season_days: Annotated[
        int,
        setting(
            "Days after which a season ends with a final; 0: when `arena league end-season` says so.",
            option="--season-days",
            least=0,
            most=MOST_SEASON_DAYS,
            usual="0",
        ),
    ] = 0
    final_top: Annotated[
        int,
        setting(
            "The most finalists of a season.",
            option="--final-top",
            least=2,
            unset=0,
            usual="8, or as many as a table needs",
        ),
    ] = 0
    """0: not chosen."""
    final_deals: Annotated[
        int,
        setting(
            "Deals of each table of a final.",
            option="--final-deals",
            least=1,
            unset=0,
            usual="so many that a finalist plays 1,000",
        ),
    ] = 0
    """0: not chosen."""

    divisions: Annotated[
        int,
        setting(
            "Divisions, with promotion and relegation at the end of each span; 0: none.",
            option="--divisions",
            least=0,
            most=10,
            usual="0",
        ),
    ] = 0
    division_size: Annotated[
        int,
        setting(
            "Places of each division but the lowest, which has all others.", option="--division-size", least=2, most=100
        ),
    ] = 12
    division_moves: Annotated[
        int,
        setting(
            "The most entries that a division exchanges with the one above at the end of a span.",
            option="--division-moves",
            least=1,
            most=50,
        ),
    ] = 2
    division_days: Annotated[
        int,
        setting(
            "Days of a span, after which entries are promoted and relegated; 0: at the end of a season alone.",
            option="--division-days",
            least=0,
            most=MOST_SEASON_DAYS,
            usual="0",
        ),
    ] = 0

    always_stored: ClassVar[frozenset[str]] = frozenset(
        ("seats", "active_per_owner", "deals", "cpu_per_day", "season_days", "final_top", "final_deals")
    )


class LeagueDefinition(LeagueSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A league before its first batch: what its organiser has chosen, and what follows from that."""

    seats: Count
    game: str
    options: Mapping[str, str]
    """The options of the game that differ from their defaults, as text."""
    behaviour: Number
    """The game's behaviour version."""
    team_of: tuple[Number, ...] = ()
    """The number of the team of each seat; empty if every seat plays for itself."""
    time: TimeControl = TimeControl()
    """The clock and limits of every bot."""
    matches_at_once: Count = MATCHES_AT_ONCE
    """The number of matches that a phase plays at the same time."""
    batch_entries: Count = 8
    """The most entries that play a batch."""
    process_matches: Count = 1000
    """The most matches that one process of an entry plays, as learning bots would notice a change."""
    batch_seconds: Amount = 20.0
    """The seconds of a core that a standing batch should take."""
    placement_seconds: Amount = 8.0
    """The seconds of a core that a placement batch should take."""
    fault_share: Amount = 0.2
    """The faults per match, in its last batches, with which an entry is suspended."""
    challenges_per_day: Number = 10
    """The most challenges that an owner may ask for on one day."""
    challenge_deals: Number = 200
    """The most deals of a challenge."""
    version: int = VERSION
    """The version of draws and secrets, see `VERSION`."""
    hash_version: Literal[2] = HASH_VERSION

    always_stored: ClassVar[frozenset[str]] = LeagueSettings.always_stored | frozenset(
        ("game", "options", "behaviour", "team_of", "time", "matches_at_once", "batch_entries", "process_matches")
        + ("batch_seconds", "placement_seconds", "fault_share", "challenges_per_day", "challenge_deals", "version")
        + ("hash_version",)
    )

    @property
    def table_size(self) -> int:
        """The number of entries at a table: one for each seat or, in games with teams, for each team."""
        return len(set(self.team_of)) or self.seats

    def seconds_of(self, kind: BatchKind) -> float:
        """Return the seconds of a core that a batch should take.

        A standing batch with many entries at large tables takes longer, so that the starts of its processes are no more
        than `START_SHARE` of it.
        """
        if kind == "placement":
            return self.placement_seconds
        return max(self.batch_seconds, self.batch_entries * self.table_size * START_SECONDS / START_SHARE)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the definition that `to_json` wrote. Raises PlanError if another version of arena wrote it."""
        try:
            definition = super().from_json(values)
        except ValidationError as error:
            raise PlanError(
                f"this version of arena cannot read the stored definition of the league ({error}): run it with the "
                "version that created it"
            ) from None
        if definition.version != VERSION:
            raise PlanError(
                f"the league was created with version {definition.version} of the draw, and this is version {VERSION}: "
                "run it with the version of arena that created it"
            )
        return definition

    def check_rules(self) -> None:
        """Raise PlanError if the rules are not those with which the league was created, or there are none."""
        try:
            rules = registry.game(self.game)
        except EngineError as error:
            raise PlanError(f"{error}: install the package of the game again, or close the league") from None
        if rules.behaviour != self.behaviour:
            raise PlanError(
                f"the league plays version {self.behaviour} of the rules of {self.game}, and this arena has version "
                f"{rules.behaviour}: close it and create another one, or run it with the arena that created it"
            )

    def batch(self, bots: tuple[Entrant, ...], tables: tuple[tuple[int, ...], ...], deals: int) -> Definition:
        """Return the definition of a batch.

        bots: its field.
        tables: for each table, the places of its bots in the field.
        """
        return Definition(
            game=self.game,
            options=self.options,
            behaviour=self.behaviour,
            rounds=deals,
            seats=self.seats,
            field=bots,
            time=self.time,
            block=deals,
            matches_at_once=self.matches_at_once,
            team_of=self.team_of,
            schedule="tables",
            tables=tables,
        )


def unplayable(values: Mapping[str, Any]) -> str:
    """Return why this arena cannot play a league, as a sentence; empty if it can.

    values: its stored definition.
    """
    try:
        LeagueDefinition.from_json(values).check_rules()
    except PlanError as error:
        return str(error)
    return ""


_USUAL = LeagueSettings()

_USUAL_TIME = TimeControl()


def define_league(
    game: Game,
    options: Options,
    settings: LeagueSettings = _USUAL,
    time: TimeControl = _USUAL_TIME,
) -> LeagueDefinition:
    """Return the definition of a league.

    Raises PlanError for numbers that cannot be played, SeatsError or OptionError if the game has no such table or
    option.
    """
    seats = settings.seats or min(game.recommended, game.most_seats(options))
    game.check(options, seats)
    teams = game.teams(options, seats)
    team_of = teams if len(set(teams)) < seats else ()
    table_size = len(set(teams))
    if table_size < 2:
        raise PlanError(f"a league needs two entries at a table, and {game.name} with {seats} seats has {table_size}")
    _check_divisions(settings, table_size)
    return LeagueDefinition(
        **{**structs.asdict(settings), "seats": seats},
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        team_of=team_of,
        time=time.of_game(game),
        matches_at_once=1 if time.mode == "clock" else MATCHES_AT_ONCE,
        batch_entries=max(8, table_size),
    )


def _check_divisions(settings: LeagueSettings, table_size: int) -> None:
    """Raise PlanError for divisions that cannot be played."""
    usual, size, moves = LeagueSettings(), settings.division_size, settings.division_moves
    if not settings.divisions:
        for name in ("division_size", "division_moves", "division_days"):
            if getattr(settings, name) != getattr(usual, name):
                option = f"--{name.replace('_', '-')}"
                raise PlanError(f"{option} is for leagues with divisions: name --divisions, or leave it out")
        return
    if settings.divisions == 1:
        raise PlanError("one division is a league without any: say --divisions 2 or more, or leave it out")
    if size < table_size:
        raise PlanError(f"a division of {size} fills no table: make --division-size {table_size} or more")
    if 2 * moves > size:
        raise PlanError(
            f"{moves} entries cannot go up and {moves} go down in a division of {size}: make --division-moves "
            f"{size // 2} or less"
        )
