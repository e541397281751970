"""The definition of a tournament: everything that was decided before the first match.

It is stored with the tournament as JSON and hashed, and is all that is needed to go on with it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from arena.ratings.errors import RatingError
from arena.store.stored_definition import HASH_VERSION
from arena.tournament.errors import PlanError
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import TieBreak
from arena.typed import check_types
from referee.engine.redeal import Redeal

SCHEDULE_VERSION = 2
"""Raised whenever `schedule` seats anybody differently; a tournament is resumed by the same version only."""

BLOCK = 1000
"""Rounds per block.

Every rotation of a block is played by fresh processes, so the start of a process (50 to 150 ms of CPU
for a Python bot) is shared by the matches it plays in one rotation. Six such bots that play 1000 matches
of Cambio (280 decisions each, 30 µs per decision) spend 4 to 10 % of the time on starts; with 256 rounds
it would be 15 to 30 %. Longer blocks save little, and put off the moment at which whole deals, all
rotations, are there to be rated.
"""

MATCHES_AT_ONCE = 512
"""Matches under way at the same time in each phase: what a batch to a bot may hold."""


Teams = Literal["one", "mixed"]
"""Who plays a team: one bot, or partners from the field."""

TEAMS: tuple[Teams, ...] = get_args(Teams)

Schedule = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder"]
"""Who meets whom."""

SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)

Mode = Literal["fast", "clock"]
"""What is to be had of a machine: many matches at once, for statistics; or clocks that are fair, for contests."""

MODES: tuple[Mode, ...] = get_args(Mode)

MOST_LAG_MS = 100
"""In mode clock: how long a referee may keep an answer waiting before its match is void, unless told otherwise."""

SameAuthor = Literal["any", "apart"]
"""Whether bots of one author may sit at the same table."""

SAME_AUTHOR: tuple[SameAuthor, ...] = get_args(SameAuthor)

_SELDOM = ("opening", "redeal", "tie_break", "same_author", "names", "entropy", "hash_version")
"""What a definition says only where it is not as usual."""

Rotations = Literal["cycle", "all", "none"]
"""In how many ways each deal is played: all move on by a seat at a time, every order of the table, or once."""

ROTATIONS: tuple[Rotations, ...] = get_args(Rotations)

ALL_ORDERS_UP_TO = 4
"""The largest table of which every order is played: 24. Larger ones move on by a seat at a time."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock and the limits of every bot.

    move_time_ms: for each answer; 0 is no limit. bank_ms: each seat's reserve in each match.
    start_time_ms: from the start of a process to its hello. memory_bytes: of a process.
    strikes: faults in one match after which the seat is played by default moves and ranked last.
    remote_ms: how long a remote bot may take to dial, at first and whenever its connection is lost.
    mode: clock: one match at a time on each core, bots think only in their own time, and waiting for a core is not
    charged. ponder: in that mode, they may think whenever they like. most_lag_ms: in that mode, how long a referee may
    keep an answer waiting before the match is void and played again; 0 is however long. slot_ms: in that mode, how long
    after a turn the next one comes at the earliest, in games that may ask others secretly in between.
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

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; what came later is left out where it says nothing."""
        values = asdict(self)
        return values if self.slot_ms else {key: value for key, value in values.items() if key != "slot_ms"}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the field.

    name: under which it is shown. command: the program and its arguments; empty: it is attached, somebody else
    starts it. folder: where it is started.
    files: the files of the command that are the bot's own. sha256: their fingerprint at the start, in hex.
    submission: name and version (club/owl@3) of a submitted bot; it has no files, and sha256 is the hash of its pack.
    memory_bytes, matches_at_once: what it is content with; 0: whatever the organiser grants.
    games: the ids of the games that its bot.toml names; empty: it names none.
    remote: the name of its token, where it plays from its owner's machine; otherwise empty.
    author: who made it: the owner in its name, or whom its bot.toml names; empty where nothing tells.
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

    @property
    def attached(self) -> bool:
        """Whether it dials in by itself, with what an invitation tells, and has no clock."""
        return not self.command and not self.remote

    def to_json(self) -> dict[str, Any]:
        """Return the bot as JSON values that `from_json` reads."""
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        return values if self.author else {key: value for key, value in values.items() if key != "author"}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the bot that `to_json` wrote. Raises TypeError where another version of arena wrote it."""
        given: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in values.items()}
        bot = cls(**given)
        check_types(bot)
        return bot


@dataclass(frozen=True, slots=True)
class Definition:
    """A tournament before its first match.

    game, options: the rules; options only where they differ from their defaults, as texts.
    behaviour: the game's behaviour version, which must not change on the way.
    rounds: how many duplicate sets each table plays. seats: at a table. block: rounds per block.
    field: the bots. time: clock and limits. matches_at_once: within a phase.
    schedule_version: of the rules by which schedules are made.
    stop: what may end it before its last round.
    schedule: who meets whom. challengers: how many of the first bots challenge the others (gauntlet and ladder).
    stages: of a Swiss; 0 elsewhere. rotations: in how many ways each deal is played.
    tie_break: the rules by which bots with equal points are placed. same_author: whether bots of one author may sit at
    the same table. names: whether bots are told who sits where. entropy: which public value, known only after the
    hashes are published, is mixed into the secret; empty where none is.
    opening: of a single match that goes on from another: the number of that one, and how many of its answers.
    redeal: of such a match: what of its chance does not follow from the seed.
    teams: who plays a team. team_of: by seat, the number of its team, from 0; empty where every seat plays for itself.
    hash_version: the rule by which it is hashed (see `arena.store.stored_definition`).
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
    hash_version: int = HASH_VERSION

    def to_json(self) -> dict[str, Any]:
        """Return the definition as JSON values that `from_json` reads."""
        values = {name: getattr(self, name) for name in self.__slots__ if name not in _SELDOM}
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
        """Return the definition that `to_json` wrote. Raises PlanError where another version of arena wrote it."""
        try:
            time = TimeControl(**values["time"])
            field = tuple(Entrant.from_json(bot) for bot in values["field"])
            team_of = tuple(values.get("team_of", ()))  # older definitions have none
            stop = StopRule(**values["stop"]) if values.get("stop") else None
            opening = tuple(values["opening"]) if values.get("opening") else None
            redeal = Redeal.from_json(values["redeal"]) if values.get("redeal") else None
            settled = {"time": time, "field": field, "team_of": team_of, "stop": stop, "opening": opening,
                       "redeal": redeal}  # fmt: skip
            made = cls(**{"hash_version": 1, **values, **settled, "tie_break": tuple(values.get("tie_break", ()))})
            check_types(made)
        except (AttributeError, KeyError, TypeError, ValueError, RatingError) as error:
            raise PlanError(
                f"the stored definition of the tournament is not one that this version of arena writes ({error}): "
                "go on with the version that began it"
            ) from None
        version = values.get("schedule_version", values.get("schedule"))  # as older definitions call it
        if version != SCHEDULE_VERSION:
            raise PlanError(
                f"the tournament was begun with version {version} of the schedule, and this is version "
                f"{SCHEDULE_VERSION}: go on with the version of arena that began it"
            )
        return made
