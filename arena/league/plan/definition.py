"""The definition of a league: everything that was decided when it was created.

It is stored with the league as JSON and hashed, and does not change.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from arena.store.league_rows import BatchKind
from arena.tournament.errors import PlanError
from arena.tournament.plan.definition import MATCHES_AT_ONCE, Definition, Entrant, TimeControl
from arena.typed import check_types
from referee.engine import registry
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.options import Options

VERSION = 1
"""Raised with every change to how draws and secrets follow from a definition."""


START_SECONDS = 0.105
"""Of a core, for the start of a Python bot with its sandbox: `arena bench --only languages`."""

START_SHARE = 0.15
"""The most of a standing batch's time that the starts of its processes may take."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def is_league_name(name: str) -> bool:
    """Return whether a league may have a name: up to 64 lower-case letters, digits and single hyphens."""
    return _NAME.fullmatch(name) is not None and len(name) <= 64


@dataclass(frozen=True, slots=True)
class LeagueDefinition:
    """A league before its first batch.

    game, options: the rules; options that differ from their defaults, as text. behaviour: the game's behaviour version.
    seats: at a table. team_of: by seat, the number of its team; empty if every seat plays for itself. time: clock and
    limits of every bot. matches_at_once: within a phase.
    batch_entries: at most so many entries play a batch. deals: that each table of a batch plays, in all rotations.
    process_matches: the most matches that one process of an entry plays, as learning bots would notice a change.
    batch_seconds, placement_seconds: of a core, which a standing batch and one for newcomers should take.
    active_per_owner: the most active entries of one owner. cpu_per_day: seconds that an entry may be charged for its
    answers, and take to get ready, on one day, before it rests until the next; 0: no limit. fault_share: faults per
    match, in its last batches, with which an entry is suspended. challenges_per_day, challenge_deals: that an owner may
    ask for, and the most deals of one. season_days: days after which a season is frozen, and its final played; 0: when
    the organiser ends it.
    final_top, final_deals: the most finalists, and the deals of each table of a final; 0: as many as are usual.
    version: of draws and secrets, see `VERSION`.
    """

    game: str
    options: Mapping[str, str]
    behaviour: int
    seats: int
    team_of: tuple[int, ...] = ()
    time: TimeControl = field(default_factory=TimeControl)
    matches_at_once: int = MATCHES_AT_ONCE
    batch_entries: int = 8
    deals: int = 25
    process_matches: int = 1000
    batch_seconds: float = 20.0
    placement_seconds: float = 8.0
    active_per_owner: int = 1
    cpu_per_day: int = 0
    fault_share: float = 0.2
    challenges_per_day: int = 10
    challenge_deals: int = 200
    season_days: int = 0
    final_top: int = 0
    final_deals: int = 0
    version: int = VERSION

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

    def to_json(self) -> dict[str, Any]:
        """Return the definition as JSON values that `from_json` reads."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        time, team_of = self.time.to_json(), list(self.team_of)
        return values | {"options": dict(self.options), "time": time, "team_of": team_of, "hash_version": 2}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the definition that `to_json` wrote. Raises PlanError if another version of arena wrote it."""
        try:
            known = {key: value for key, value in values.items() if key != "hash_version"}
            definition = cls(**known | {"time": TimeControl(**values["time"]), "team_of": tuple(values["team_of"])})
            check_types(definition)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
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
        """Return the definition of a batch. bots: its field. tables: the places in it of those at each table."""
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
    """Return why this arena cannot play a league, as a sentence; empty if it can. values: its stored definition."""
    try:
        LeagueDefinition.from_json(values).check_rules()
    except PlanError as error:
        return str(error)
    return ""


def define_league(
    game: Game,
    options: Options,
    *,
    seats: int | None = None,
    time: TimeControl | None = None,
    active_per_owner: int = 1,
    cpu_per_day: int = 0,
    batch_entries: int | None = None,
    deals: int = 25,
    season_days: int = 0,
    final_top: int = 0,
    final_deals: int = 0,
) -> LeagueDefinition:
    """Return the definition of a league. seats: by default the number that the game recommends.

    Raises PlanError for numbers that cannot be played, SeatsError or OptionError if the game has no such table or
    option.
    """
    seats = min(game.recommended, game.most_seats(options)) if seats is None else seats
    game.check(options, seats)
    teams = game.teams(options, seats)
    team_of = teams if len(set(teams)) < seats else ()
    table_size = len(set(teams))
    if table_size < 2:
        raise PlanError(f"a league needs two entries at a table, and {game.name} with {seats} seats has {table_size}")
    time = time or TimeControl()
    return LeagueDefinition(
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        seats=seats,
        team_of=team_of,
        time=time,
        matches_at_once=1 if time.mode == "clock" else MATCHES_AT_ONCE,
        batch_entries=batch_entries or max(8, table_size),
        deals=deals,
        season_days=season_days,
        final_top=final_top,
        final_deals=final_deals,
        active_per_owner=active_per_owner,
        cpu_per_day=cpu_per_day,
    )
