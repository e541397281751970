"""The definition of a tournament: everything that was decided before the first match.

It is stored with the tournament as JSON and hashed, and contains everything that is needed to resume it.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

import msgspec
from msgspec import Meta, Struct, ValidationError, structs

from arena.values.canonical_json import HASH_VERSION, canonical_json
from arena.values.durations import format_duration
from arena.values.errors import RatingError
from arena.values.settings import MEBIBYTE, Stored, setting
from arena.values.stop_rule import BLOCK as STOP_BLOCK
from arena.values.stop_rule import StopRule
from arena.values.struct_types import ready
from arena.values.tournament_errors import PlanError
from referee.engine.game import Game
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


_AS_ALL = "as for all bots"

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

TieBreak = Literal["direct", "strength", "wins", "score", "seed", "lot"]
"""A rule that places bots with equal points; see `arena.plan.tie_break`."""

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)

SameAuthor = Literal["any", "apart"]
"""Whether bots of one author may sit at the same table ("any") or not ("apart")."""

SAME_AUTHOR: tuple[SameAuthor, ...] = get_args(SameAuthor)

Rotations = Literal["cycle", "all", "none"]
"""The rotations of a deal: "cycle": all bots move on by one seat at a time; "all": all orders of the table; "none"."""

ROTATIONS: tuple[Rotations, ...] = get_args(Rotations)

ALL_ORDERS_UP_TO = 4
"""The largest table of which all orders (24) are played. At larger ones the bots move on by one seat at a time."""


class TimeControl(Stored, frozen=True, forbid_unknown_fields=True):
    """The clock and the limits of every bot. Times are in milliseconds."""

    move_time_ms: Annotated[
        int, setting("Time limit of an answer; 0: none.", "ms", option="--move-time", key="time.move", least=0)
    ] = 1000
    bank_ms: Annotated[
        int, setting("Extra time of a seat, for a whole match.", "ms", option="--bank", key="time.bank", least=0)
    ] = 10_000
    start_time_ms: Annotated[
        int,
        setting("Time from the start of a process to its hello.", "ms", option="--start", key="time.start", least=1),
    ] = 10_000
    memory_bytes: Annotated[
        int, setting("Memory limit of a process.", "bytes", key="time.memory_mb", least=16 * MEBIBYTE)
    ] = 256 * MEBIBYTE
    strikes: Annotated[
        int,
        setting(
            "Faults in one match after which a seat forfeits: default moves are played and it is ranked last.",
            option="--strikes",
            key="time.strikes",
            least=1,
            usual="3, or what the game says: in chess 1",
        ),
    ] = 3
    """0 where nobody chose it, until it is known which game is played (`of_game`)."""
    remote_ms: Annotated[
        int,
        setting("Time for a remote bot to connect, and to reconnect.", "ms", option="--reconnect", least=1),
    ] = 30_000
    """For in-process bots too."""
    mode: Annotated[
        Mode,
        setting(
            "fast: many matches at once; clock: one match per core, for fair clocks.", option="--mode", key="time.mode"
        ),
    ] = "fast"
    """In mode clock bots think only in their own time, and waiting for a core is not charged."""
    ponder: Annotated[
        bool,
        setting("Mode clock: let bots think in their opponents' time.", option="--ponder", key="time.ponder"),
    ] = False
    most_lag_ms: Annotated[
        int,
        setting(
            "Mode clock: void and replay a match with a longer referee delay; 0: never.",
            "ms",
            option="--lag",
            key="time.lag",
            least=0,
            usual=f"{DEFAULT_MAX_LAG_MS}ms",
        ),
    ] = 0
    slot_ms: Annotated[
        int,
        setting(
            "Mode clock: least time from turn to turn, so that delays reveal no secret card (cambio, cucco).",
            "ms",
            option="--slot",
            key="time.slot",
            least=0,
        ),
    ] = 0
    fischer: Annotated[
        bool,
        setting(
            "Add what an answer leaves of the move time to the bank: a clock of --bank with increments of --move-time.",
            option="--fischer",
            key="time.fischer",
        ),
    ] = False
    ready_time_ms: Annotated[
        int,
        setting(
            "Time before a match in which a bot gets ready, where it asks for that; 0: no limit.",
            "ms",
            option="--ready",
            key="time.ready",
            least=0,
        ),
    ] = 10_000

    always_stored: ClassVar[frozenset[str]] = frozenset(
        ("move_time_ms", "bank_ms", "start_time_ms", "memory_bytes", "strikes", "remote_ms", "mode", "ponder")
        + ("most_lag_ms",)
    )

    @classmethod
    def choose(cls, chosen: Mapping[str, Any]) -> Self:
        lag = {"most_lag_ms": DEFAULT_MAX_LAG_MS} if chosen.get("mode") == "clock" else {}
        return cls(**{"strikes": 0, **lag, **chosen})

    def of_game(self, game: Game) -> Self:
        """Return it with what a game decides where nobody chose it."""
        return self if self.strikes else structs.replace(self, strikes=game.strikes)


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a bot. Times are in milliseconds."""

    move_time_ms: int
    """The time limit of an answer; 0: none."""
    bank_ms: int
    """The extra time for a whole match."""
    fischer: bool
    """Whether what an answer leaves of the move time is added to the bank."""

    def __str__(self) -> str:
        """Return it for people: "10s + 100ms" is a bank and an increment, "100ms, bank 10s" a move time and a bank."""
        if not self.move_time_ms:
            return "no limit"
        move, bank = format_duration(self.move_time_ms), format_duration(self.bank_ms)
        return f"{bank} + {move}" if self.fischer else f"{move}, bank {bank}"

    def to_json(self) -> dict[str, int | bool]:
        """Return JSON values."""
        return {"move_time_ms": self.move_time_ms, "bank_ms": self.bank_ms, "fischer": self.fischer}


OWN_CLOCK = ("move_time_ms", "bank_ms", "increment_ms")
"""The fields of an entrant that make a clock of its own."""

CLOCK_KEYS = dict(zip(("move-time", "bank", "increment"), OWN_CLOCK, strict=True))
"""What people write, and these fields."""


class Entrant(Stored, frozen=True, forbid_unknown_fields=True):
    """A bot of the field."""

    name: Annotated[str, setting("Its name in tables.", key="bot.name", usual="as with --bots")]
    command: Annotated[
        tuple[str, ...],
        setting("The program and its arguments, instead of the key bot.", key="bot.command", usual="that of bot"),
    ]
    """Empty if arena does not start the bot: it is attached, remote or in-process."""
    folder: Annotated[str, setting("Where command is started.", key="bot.folder", usual="the folder of the file")]
    files: Annotated[
        tuple[str, ...], setting("Its own files, of which the fingerprint is taken.", key="bot.files", usual="none")
    ]
    sha256: Annotated[
        str, setting("The fingerprint of its files, without which it is refused.", key="bot.sha256", usual="any")
    ]
    """At the start, in hex; of a submitted bot the hash of its pack, of one in-process that of its source."""
    submission: str = ""
    """Name and version (club/owl@3) of a submitted bot, which has no files."""
    memory_bytes: Annotated[
        int,
        setting("Memory limit that it sets itself.", "bytes", key="bot.memory_mb", least=16 * MEBIBYTE, unset=0),
    ] = 0
    """0: the organiser's."""
    matches_at_once: Annotated[
        int,
        setting("Matches at a time, a limit that it sets itself.", key="bot.matches_at_once", least=1, unset=0),
    ] = 0
    """0: the organiser's."""
    games: Annotated[tuple[str, ...], setting("The games that it plays; empty: any.", key="bot.games")] = ()
    remote: str = ""
    """The name of its token, if it plays from its owner's machine; otherwise empty."""
    author: Annotated[str, setting("Who wrote it; empty: unknown.", key="bot.author")] = ""
    """Of a submitted bot its owner, or the author that its bot.toml names."""
    grants: Annotated[
        tuple[str, ...],
        setting("What it is granted beyond other bots: network, or device:/dev/NAME.", key="bot.grants"),
    ] = ()
    """In the words of `referee.sandbox.grants`."""
    in_process: bool = False
    """Whether it is a function or class of the program that plays (`arena.api`)."""
    start_time_ms: Annotated[
        int,
        setting(
            "Time from the start of its process to its hello.",
            "ms",
            key="bot.start",
            least=1,
            unset=0,
            usual=_AS_ALL,
        ),
    ] = 0
    """0: as for all bots."""
    move_time_ms: Annotated[
        int,
        setting("Its own time limit of an answer; 0: none.", "ms", key="bot.move", least=0, unset=-1, usual=_AS_ALL),
    ] = -1
    """-1: as for all bots."""
    bank_ms: Annotated[
        int, setting("Its own extra time for a match.", "ms", key="bot.bank", least=0, unset=-1, usual=_AS_ALL)
    ] = -1
    """-1: as for all bots."""
    increment_ms: Annotated[
        int,
        setting(
            "Its own move time, of which it keeps what it leaves: its clock has increments, whatever that of others.",
            "ms",
            key="bot.increment",
            least=1,
            unset=-1,
            usual=_AS_ALL,
        ),
    ] = -1
    """-1: as for all bots. Only where `move_time_ms` is -1."""

    always_stored: ClassVar[frozenset[str]] = frozenset(
        ("name", "command", "folder", "files", "sha256", "submission", "memory_bytes", "matches_at_once", "games")
        + ("remote",)
    )

    @property
    def attached(self) -> bool:
        """Whether it connects by an invitation and has no clock."""
        return not self.command and not self.remote and not self.in_process

    @property
    def has_own_clock(self) -> bool:
        """Whether the organiser gave it a clock of its own, or a part of one."""
        return max(self.move_time_ms, self.bank_ms, self.increment_ms) >= 0

    def clock(self, usual: TimeControl) -> Clock:
        """Return its clock.

        usual: that of all bots.
        """
        own = [self.increment_ms, self.move_time_ms, usual.move_time_ms]
        return Clock(
            next(time for time in own if time >= 0),
            self.bank_ms if self.bank_ms >= 0 else usual.bank_ms,
            self.increment_ms >= 0 or usual.fischer,
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the bot that `to_json` wrote.

        Raises ValueError if another version of arena wrote it, GrantError for a grant that is none.
        """
        bot = super().from_json(values)
        read_grants(bot.grants)
        return bot


class Settings(Stored, frozen=True, forbid_unknown_fields=True):
    """What an organiser chooses for a tournament beside its game, its bots, its clock and its stop rule.

    To add a setting is to add a field here: see docs/development.md.
    """

    rounds: Annotated[
        int,
        setting(
            "Rounds: each table plays this many deals, in all rotations.",
            option="--rounds",
            key="schedule.rounds",
            least=1,
        ),
    ] = 100
    """With stages: of each of them."""
    seats: Annotated[
        int,
        setting(
            "Seats at a table.",
            option="--seats",
            key="schedule.seats",
            least=1,
            unset=0,
            usual="recommended by the game, or the field if smaller",
        ),
    ] = 0
    """0: not chosen."""
    teams: Annotated[
        Teams,
        setting(
            "one: one bot plays all seats of a team; mixed: partners are drawn.", option="--teams", key="schedule.teams"
        ),
    ] = "one"
    schedule: Annotated[
        Schedule, setting("Pairing system.", option="--schedule", key="schedule.kind", choices=SCHEDULES)
    ] = "round-robin"
    challengers: Annotated[
        int,
        setting(
            "Gauntlet and ladder: number of challengers, the first bots of the field.",
            option="--challengers",
            key="schedule.challengers",
            least=0,
            unset=0,
            usual="1",
        ),
    ] = 0
    stages: Annotated[int, setting("Swiss: number of stages.", option="--stages", key="schedule.stages", least=0)] = 0
    block: Annotated[
        int,
        setting(
            "Rounds after which bots are restarted and late entries join.",
            option="--block",
            key="schedule.block",
            least=1,
            unset=0,
            usual=f"{BLOCK}, or {STOP_BLOCK} with a stop rule",
        ),
    ] = 0
    """0: not chosen."""
    matches_at_once: Annotated[
        int, setting("Matches at a time in each phase, in mode fast.", key="schedule.matches_at_once", least=1)
    ] = MATCHES_AT_ONCE
    rotations: Annotated[
        Rotations,
        setting(
            "How each deal is rotated: cycle: one seat at a time; all: every order (up to 4 places); none: played "
            "once.",
            option="--rotations",
            key="schedule.rotations",
        ),
    ] = "cycle"
    tie_break: Annotated[
        tuple[TieBreak, ...],
        setting(f"Tie-breaks in order: {', '.join(TIE_BREAKS)}.", option="--tie-break", key="schedule.tie_break"),
    ] = ()
    same_author: Annotated[
        SameAuthor,
        setting(
            "Round-robin and swiss: whether bots of one author may share a table.",
            option="--same-author",
            key="schedule.same_author",
        ),
    ] = "any"
    names: Annotated[
        bool,
        setting(
            "Tell bots the names of their opponents, who are anonymous otherwise.",
            option="--names",
            key="schedule.names",
        ),
    ] = False
    entropy: Annotated[
        str,
        setting(
            "Announce a future public value, to be mixed into the secret so that nobody can choose the deals. Nothing "
            "is played until `arena tourney resume ID --entropy VALUE`.",
            option="--entropy",
            key="entropy",
        ),
    ] = ""

    always_stored: ClassVar[frozenset[str]] = frozenset(
        ("rounds", "seats", "teams", "schedule", "challengers", "stages", "block", "matches_at_once", "rotations")
    )


class Definition(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament before its first match: what its organiser has chosen, and what follows from that."""

    rounds: Annotated[int, Meta(ge=1)]
    seats: Annotated[int, Meta(ge=1)]
    block: Annotated[int, Meta(ge=1)] = BLOCK
    game: str
    options: Mapping[str, str]
    """Of the rules: those that differ from their defaults, as text."""
    behaviour: int
    """The game's behaviour version, which must not change during the tournament."""
    field: tuple[Entrant, ...]
    time: TimeControl = TimeControl()
    schedule_version: int = SCHEDULE_VERSION
    team_of: tuple[int, ...] = ()
    """By seat, the number of its team, from 0; empty if every seat plays for itself."""
    stop: StopRule | None = None
    opening: tuple[int, int] | None = None
    """Of a single match that continues another: the number of that match, and how many of its answers come first."""
    redeal: Mapping[str, Any] | None = None
    """Of such a match, the chance that does not follow from the seed, in the JSON of `referee.engine.redeal.Redeal`."""
    tables: tuple[tuple[int, ...], ...] = ()
    """Of a batch of a league, the bots of each table by their places in the field; empty for other schedules."""
    hash_version: Literal[2] = HASH_VERSION

    always_stored: ClassVar[frozenset[str]] = Settings.always_stored | frozenset(
        ("game", "options", "behaviour", "field", "time", "schedule_version", "team_of", "stop", "hash_version")
    )

    @property
    def text(self) -> str:
        """The canonical JSON, which is stored."""
        return canonical_json(self.to_json())

    @property
    def grants(self) -> dict[int, tuple[str, ...]]:
        """What the organiser grants beyond other bots, by place in the field; without those that get nothing."""
        return {place: bot.grants for place, bot in enumerate(self.field) if bot.grants}

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clock of each bot, by place in the field."""
        return tuple(bot.clock(self.time) for bot in self.field)

    def clock_of(self, place: int) -> Clock:
        """Return the clock of a bot by its place in the field; one that entered late has that of all."""
        usual = self.time
        if place < len(self.field):
            return self.field[place].clock(usual)
        return Clock(usual.move_time_ms, usual.bank_ms, usual.fischer)

    @property
    def odds(self) -> dict[int, Clock]:
        """The clock of each bot, by place in the field, where bots have different ones; otherwise empty."""
        return dict(enumerate(self.clocks)) if len(set(self.clocks)) > 1 else {}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Return a definition that any version of arena wrote, to be listed, rated and replayed, not to be played.

        What this version has no field for is left out. Raises PlanError where it cannot be read all the same, and
        ValidationError, of msgspec, for what no version wrote.
        """
        with suppress(ValidationError):
            return msgspec.convert(values, ready(cls))
        try:
            return msgspec.convert(_known(values, cls), ready(cls))
        except ValidationError as error:
            if not isinstance(values, Mapping):
                raise
            raise _unreadable(error) from None

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the definition that `to_json` wrote. Raises PlanError if another version of arena wrote it."""
        try:
            if values["hash_version"] != HASH_VERSION:
                raise ValueError(f"it is hashed by version {values['hash_version']} of the rule")
            definition = super().from_json(values)
            if definition.redeal is not None:
                Redeal.from_json(definition.redeal)
            for bot in definition.field:
                read_grants(bot.grants)
        except (AttributeError, KeyError, TypeError, ValueError, RatingError) as error:
            raise _unreadable(error) from None
        if (version := values.get("schedule_version")) != SCHEDULE_VERSION:
            raise PlanError(
                f"the tournament was begun with version {version} of the schedule, and this is version "
                f"{SCHEDULE_VERSION}: resume it with the version of arena that began it"
            )
        return definition


_PARTS: dict[str, type[Struct]] = {"time": TimeControl, "stop": StopRule, "field": Entrant}
"""The structs within a definition, by the names of their fields."""


def _unreadable(error: Exception) -> PlanError:
    return PlanError(
        f"this version of arena cannot read the stored definition of the tournament ({error}): resume it with the "
        "version that began it"
    )


def _known(values: Any, kind: type[Struct]) -> Any:
    """Return JSON values without those that a struct has no field for, in its parts too."""
    if isinstance(values, list):
        return [_known(item, kind) for item in values]
    if not isinstance(values, dict):
        return values
    return {
        name: _known(value, _PARTS[name]) if issubclass(kind, Definition) and name in _PARTS else value
        for name, value in values.items()
        if name in kind.__struct_fields__
    }
