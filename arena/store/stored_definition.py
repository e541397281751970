"""Stored definitions of any version of arena, and their hash."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

HASH_VERSION = 2
"""The version of the rule by which new definitions are hashed.

    1  every value is hashed; definitions without a version use this rule
    2  the paths of bots' files are not hashed, so an event has the same hash on every machine
"""


def definition_text(definition: Any) -> str:
    """Return JSON values as canonical JSON (sorted keys, no blanks): the text that is hashed and stored."""
    return json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class StoredClock:
    """The time control of a stored definition, in milliseconds; fields as in `TimeControl`."""

    move_time_ms: float
    bank_ms: float
    mode: str = "fast"
    ponder: bool = False
    slot_ms: int = 0
    fischer: bool = False


@dataclass(frozen=True, slots=True)
class StoredDefinition:
    """The definition of an event as JSON values, and the values that listings, rankings and replays need.

    A value that an older version of arena did not write has the default of that version, so tournaments of every
    version can be shown, rated and verified. Only `arena.tournament.plan.definition.Definition` can be played.
    """

    values: dict[str, Any]

    @property
    def text(self) -> str:
        """The canonical JSON."""
        return definition_text(self.values)

    @property
    def hash_version(self) -> int:
        """The version of the rule by which it is hashed (see `HASH_VERSION`)."""
        return int(self.values.get("hash_version", 1))

    @property
    def hash(self) -> str:
        """Its SHA-256 in hex, published at the start; empty if this version of arena does not know the rule."""
        if self.hash_version > HASH_VERSION:
            return ""
        content = self.values if self.hash_version < 2 else _without_paths(self.values)
        return sha256(definition_text(content).encode()).hexdigest()

    @property
    def rounds(self) -> int:
        """The number of duplicate sets that each table plays; 0 if unknown."""
        return int(self.values.get("rounds", 0))

    @property
    def seats(self) -> int:
        """The number of seats of a table; 0 if unknown."""
        return int(self.values.get("seats", 0))

    @property
    def matches_at_once(self) -> int:
        """The number of matches that a phase plays at the same time."""
        return max(1, int(self.values.get("matches_at_once", 1)))

    @property
    def schedule(self) -> str:
        """The kind of schedule; the oldest definitions are round-robins and have a version number under this key."""
        schedule = self.values.get("schedule")
        return schedule if isinstance(schedule, str) else "round-robin"

    @property
    def stop(self) -> str:
        """The kind of the rule that may end it before its last round; empty if there is none."""
        rule = self.values.get("stop")
        return str(rule.get("kind", "")) if rule else ""

    @property
    def tie_break(self) -> Sequence[str]:
        """The rules by which bots with equal points are placed."""
        rules: Sequence[str] = self.values.get("tie_break", ())
        return rules

    @property
    def teams(self) -> str:
        """Who plays a team: "one" bot or "mixed" partners."""
        return str(self.values.get("teams", "one"))

    @property
    def team_of(self) -> Sequence[int]:
        """By seat, the number of its team; empty where every seat plays for itself."""
        teams: Sequence[int] = self.values.get("team_of") or ()
        return teams

    @property
    def reveals_names(self) -> bool:
        """Whether bots are told who sits where."""
        return bool(self.values.get("names"))

    @property
    def entropy(self) -> str:
        """The public value that is mixed into the secret, in words; empty if there is none."""
        return str(self.values.get("entropy", ""))

    @property
    def opening(self) -> tuple[int, int] | None:
        """Of a single match that continues another: the id of that match, and how many answers are taken from it."""
        opening = self.values.get("opening")
        return (opening[0], opening[1]) if opening else None

    @property
    def redeal(self) -> Any:
        """The redeal of such a match, in the JSON of `referee.engine.redeal.Redeal.from_json`; None if none."""
        return self.values.get("redeal")

    @property
    def clock(self) -> StoredClock | None:
        """The time control; None if unknown."""
        time = self.values.get("time")
        if not isinstance(time, dict) or not {"move_time_ms", "bank_ms"} <= time.keys():
            return None
        return StoredClock(**{name: time[name] for name in StoredClock.__slots__ if name in time})

    @property
    def field(self) -> Sequence[dict[str, Any]]:
        """The bots at the start, in the JSON of `Entrant.from_json`; the oldest definitions name none."""
        bots: Sequence[dict[str, Any]] = self.values.get("field", ())
        return bots

    @property
    def grants(self) -> dict[int, tuple[str, ...]]:
        """What the organiser grants beyond other bots, by place in the field; without those that get nothing."""
        return {place: tuple(bot["grants"]) for place, bot in enumerate(self.field) if bot.get("grants")}


def _without_paths(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without the paths of bots' files; their hashes stay."""
    return values | {"field": [_portable_bot(bot) for bot in values.get("field", ())]}


def _portable_bot(bot: dict[str, Any]) -> dict[str, Any]:
    """Return a bot without what differs between machines.

    A program is named without its folder and version (python3.11: python); a file by its path relative to the bot's
    folder or, outside of it, by its name.
    """
    folder = bot.get("folder", "")
    program, *arguments = bot.get("command") or [""]
    name = re.sub(r"[\d.]+$", "", PurePosixPath(program).name)
    command = [name, *(_relative(argument, folder) for argument in arguments)]
    return bot | {"command": command, "files": [_relative(path, folder) for path in bot.get("files", ())], "folder": ""}


def _relative(argument: str, folder: str) -> str:
    path = PurePosixPath(argument)
    if not path.is_absolute():
        return argument
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name
