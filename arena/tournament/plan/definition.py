"""The definition of a tournament: everything that was decided before the first match.

It is stored with the tournament as JSON and hashed, and contains everything that is needed to resume it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, get_args

from arena.ratings.errors import RatingError
from arena.store.stored_definition import HASH_VERSION
from arena.store.versioned_names import versioned_names
from arena.tournament.errors import PlanError
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import TieBreak
from arena.typed import check_types
from referee.engine.redeal import Redeal
from referee.sandbox.grants import read_grants

SCHEDULE_VERSION = 2
"""Raised with every change to how `schedule` seats bots; only the same version can resume a tournament."""

BLOCK = 1000
"""Rounds per block.

Every rotation of a block is played by fresh processes, so all matches of one rotation share the cost of
starting a process (50 to 150 ms of CPU time for a Python bot). Six such bots that play 1000 matches of Cambio
(280 decisions each, 30 µs per decision) spend 4 to 10 % of the time on starts; with 256 rounds it would be
15 to 30 %. Longer blocks save little, and delay the first complete deals (all rotations), which ratings need.
"""

MATCHES_AT_ONCE = 512
"""Matches played at the same time in each phase: the most that a batch of questions can cover."""


Teams = Literal["one", "mixed"]
"""Who plays a team: one bot, or partners from the field."""

TEAMS: tuple[Teams, ...] = get_args(Teams)

Schedule = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder", "tables"]
"""Who meets whom; "tables": the tables of a batch of a league, as they were drawn."""

SCHEDULES: tuple[Schedule, ...] = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
"""The schedules of tournaments."""

Mode = Literal["fast", "clock"]
"""How a machine is used: for many matches at a time, or for one at a time with fair clocks."""

MODES: tuple[Mode, ...] = get_args(Mode)

DEFAULT_MAX_LAG_MS = 100
"""In mode clock: the default limit of the referee's lag in milliseconds, above which a match is void."""

DEFAULT_READY_MS = 10_000
"""The default time in milliseconds in which a bot gets ready for a match, where it asks for that."""

SameAuthor = Literal["any", "apart"]
"""Whether bots of one author may sit at the same table ("any") or not ("apart")."""

SAME_AUTHOR: tuple[SameAuthor, ...] = get_args(SameAuthor)

_OMITTED_BY_DEFAULT = ("opening", "redeal", "tie_break", "same_author", "names", "entropy", "hash_version", "tables")
"""Fields that the stored definition omits if they have their default values."""

Rotations = Literal["cycle", "all", "none"]
"""The rotations of a deal: "cycle": all bots move on by one seat at a time; "all": all orders of the table; "none"."""

ROTATIONS: tuple[Rotations, ...] = get_args(Rotations)

ALL_ORDERS_UP_TO = 4
"""The largest table of which all orders (24) are played. At larger ones the bots move on by one seat at a time."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock and the limits of every bot. Times are in milliseconds.

    move_time_ms: for each answer; 0 is no limit. bank_ms: each seat's extra time per match.
    start_time_ms: from the start of a process to its hello. memory_bytes: of a process.
    ready_time_ms: for a bot that asks for it, to get ready for a match before its clock runs; 0 is no limit.
    strikes: the faults in one match after which the seat forfeits: default moves are played and it is ranked last.
    remote_ms: the time for a remote or in-process bot to connect, at the start and after each loss of its connection.
    mode: "clock": one match at a time on each core, bots think only in their own time, and waiting for a core is not
    charged. ponder: in mode clock, bots may think at any time. most_lag_ms: in mode clock, the referee's lag above
    which a match is void and played again; 0 is no limit. slot_ms: in mode clock, the minimum time of a turn, in games
    that may ask other seats secretly between turns. fischer: what an answer leaves of its move time is added to the
    bank: a clock with an increment.
    """

    move_time_ms: int = 1000
    bank_ms: int = 10_000
    start_time_ms: int = 10_000
    memory_bytes: int = 256 * 1024 * 1024
    strikes: int = 3
    remote_ms: int = 30_000
    mode: Mode = "fast"
    ponder: bool = False
    most_lag_ms: int = 0
    slot_ms: int = 0
    fischer: bool = False
    ready_time_ms: int = DEFAULT_READY_MS

    def to_json(self) -> dict[str, Any]:
        """Return JSON values, without what older definitions did not have, so that their hashes stay the same."""
        older = {"slot_ms": 0, "fischer": False, "ready_time_ms": DEFAULT_READY_MS}
        return {key: value for key, value in asdict(self).items() if key not in older or value != older[key]}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the field.

    name: its display name. command: the program and its arguments; empty if arena does not start the bot: it is
    attached, remote or in-process. folder: the working directory.
    files: the bot's own files in the command. sha256: their fingerprint at the start, in hex.
    submission: name and version (club/owl@3) of a submitted bot; it has no files, and sha256 is the hash of its pack.
    memory_bytes, matches_at_once: limits that the bot sets itself; 0: the organiser's.
    games: the ids of the games that its bot.toml names; empty if it names none.
    remote: the name of its token, if it plays from its owner's machine; otherwise empty.
    author: the owner in its name, or the author that its bot.toml names; empty if unknown.
    grants: what the organiser grants it beyond other bots, in the words of `referee.sandbox.grants`.
    in_process: it is a function or class of the program that plays (`arena.api`), and sha256 is the hash of its source.
    start_time_ms: from the start of its process to its hello, where the organiser grants it another time than all bots
    have; 0: as they.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    files: tuple[str, ...]
    sha256: str
    submission: str = ""
    memory_bytes: int = 0
    matches_at_once: int = 0
    games: tuple[str, ...] = ()
    remote: str = ""
    author: str = ""
    grants: tuple[str, ...] = ()
    in_process: bool = False
    start_time_ms: int = 0

    @property
    def attached(self) -> bool:
        """Whether it connects by an invitation and has no clock."""
        return not self.command and not self.remote and not self.in_process

    def to_json(self) -> dict[str, Any]:
        """Return the bot as JSON values that `from_json` reads.

        What older definitions do not have is omitted where it is empty, so that their hashes stay the same.
        """
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        newer = ("author", "grants", "in_process", "start_time_ms")
        return {key: value for key, value in values.items() if value or key not in newer}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the bot that `to_json` wrote.

        Raises TypeError if another version of arena wrote it, GrantError for a grant that is none.
        """
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
        }
        bot = cls(**fields)
        check_types(bot)
        read_grants(bot.grants)
        return bot


def with_versions(field: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return a stored field with the names under which it is shown (see `arena.store.versioned_names`)."""
    bots = tuple(field)
    names = versioned_names((bot.name, bot.submission) for bot in bots)
    return tuple(replace(bot, name=name) for bot, name in zip(bots, names, strict=True))


@dataclass(frozen=True, slots=True)
class Definition:
    """A tournament before its first match.

    game, options: the rules; options that differ from their defaults, as text.
    behaviour: the game's behaviour version, which must not change during the tournament.
    rounds: the duplicate sets that each table plays. seats: at a table. block: rounds per block.
    field: the bots. time: clock and limits. matches_at_once: within a phase.
    schedule_version: see `SCHEDULE_VERSION`. stop: the rule that may end the tournament early.
    schedule: who meets whom. challengers: how many of the first bots challenge the others (gauntlet and ladder).
    stages: of a Swiss; 0 for other schedules. rotations: of each deal.
    tie_break: the rules that place bots with equal points. same_author: whether bots of one author may sit at the same
    table. names: whether bots know who sits where. entropy: a description of the public value, known only after the
    hashes are published, that is mixed into the secret; empty if there is none.
    opening: for a single match that continues another: the number of that match, and how many of its answers are
    played first. redeal: for such a match, the chance that does not follow from the seed.
    teams: who plays a team. team_of: by seat, the number of its team, from 0; empty if every seat plays for itself.
    tables: of a batch of a league, the bots of each table by their places in the field; empty for other schedules.
    hash_version: how the definition is hashed (see `arena.store.stored_definition`).
    """

    game: str
    options: Mapping[str, str]
    behaviour: int
    rounds: int
    seats: int
    field: tuple[Entrant, ...]
    time: TimeControl = TimeControl()
    block: int = BLOCK
    matches_at_once: int = MATCHES_AT_ONCE
    schedule_version: int = SCHEDULE_VERSION
    teams: Teams = "one"
    team_of: tuple[int, ...] = ()
    stop: StopRule | None = None
    schedule: Schedule = "round-robin"
    challengers: int = 0
    stages: int = 0
    rotations: Rotations = "cycle"
    tie_break: tuple[TieBreak, ...] = ()
    same_author: SameAuthor = "any"
    names: bool = False
    entropy: str = ""
    opening: tuple[int, int] | None = None
    redeal: Redeal | None = None
    tables: tuple[tuple[int, ...], ...] = ()
    hash_version: int = HASH_VERSION

    def to_json(self) -> dict[str, Any]:
        """Return the definition as JSON values that `from_json` reads."""
        values = {name: getattr(self, name) for name in self.__slots__ if name not in _OMITTED_BY_DEFAULT}
        if self.opening:
            values["opening"] = list(self.opening)
        if self.redeal:
            values["redeal"] = self.redeal.to_json()
        if self.tie_break:
            values["tie_break"] = list(self.tie_break)
        if self.same_author != "any":
            values["same_author"] = self.same_author
        if self.names:
            values["names"] = True
        if self.entropy:
            values["entropy"] = self.entropy
        if self.tables:
            values["tables"] = [list(table) for table in self.tables]
        if self.hash_version > 1:
            values["hash_version"] = self.hash_version
        return values | {
            "options": dict(self.options),
            "time": self.time.to_json(),
            "field": [bot.to_json() for bot in self.field],
            "team_of": list(self.team_of),
            "stop": self.stop.to_json() if self.stop else None,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the definition that `to_json` wrote. Raises PlanError if another version of arena wrote it."""
        try:
            time = TimeControl(**values["time"])
            field = with_versions(Entrant.from_json(bot) for bot in values["field"])
            team_of = tuple(values.get("team_of", ()))  # older definitions have none
            stop = StopRule.from_json(values["stop"]) if values.get("stop") else None
            opening = tuple(values["opening"]) if values.get("opening") else None
            redeal = Redeal.from_json(values["redeal"]) if values.get("redeal") else None
            tables = tuple(map(tuple, values.get("tables", ())))
            parsed = {"time": time, "field": field, "team_of": team_of, "stop": stop, "opening": opening,
                      "redeal": redeal, "tables": tables}  # fmt: skip
            definition = cls(**{"hash_version": 1, **values, **parsed, "tie_break": tuple(values.get("tie_break", ()))})
            check_types(definition)
        except (AttributeError, KeyError, TypeError, ValueError, RatingError) as error:
            raise PlanError(
                f"this version of arena cannot read the stored definition of the tournament ({error}): "
                "resume it with the version that began it"
            ) from None
        version = values.get("schedule_version", values.get("schedule"))  # as older definitions call it
        if version != SCHEDULE_VERSION:
            raise PlanError(
                f"the tournament was begun with version {version} of the schedule, and this is version "
                f"{SCHEDULE_VERSION}: resume it with the version of arena that began it"
            )
        return definition
