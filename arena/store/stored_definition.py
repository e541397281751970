"""A definition as it is stored, whichever version of arena wrote it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

HASH_VERSION = 2
"""The rule by which the hash of a new definition is made.

    1  every value goes in; definitions without a version have this one
    2  where a bot's files lie does not go in: the same event has the same hash on every machine
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


@dataclass(frozen=True, slots=True)
class StoredDefinition:
    """The definition of an event as JSON values, and what listings, rankings and replays read of them.

    What an older version of arena did not write reads as it was then, so tournaments of every version can be shown,
    rated and verified. Only `arena.tournament.plan.definition.Definition` can be played.
    """

    values: dict[str, Any]

    @property
    def text(self) -> str:
        """The canonical JSON."""
        return definition_text(self.values)

    @property
    def hash_version(self) -> int:
        """The rule by which it is hashed (see `HASH_VERSION`)."""
        return int(self.values.get("hash_version", 1))

    @property
    def hash(self) -> str:
        """Its SHA-256 in hex, published at the start; empty where this version of arena does not know the rule."""
        if self.hash_version > HASH_VERSION:
            return ""
        content = self.values if self.hash_version < 2 else _without_places(self.values)
        return sha256(definition_text(content).encode()).hexdigest()

    @property
    def rounds(self) -> int:
        """How many duplicate sets each table plays; 0 where that is not known."""
        return int(self.values.get("rounds", 0))

    @property
    def seats(self) -> int:
        """The seats of a table; 0 where that is not known."""
        return int(self.values.get("seats", 0))

    @property
    def matches_at_once(self) -> int:
        """How many matches a phase has under way at the same time."""
        return max(1, int(self.values.get("matches_at_once", 1)))

    @property
    def schedule(self) -> str:
        """Who meets whom; the oldest definitions had round-robins only, and the schedule's version under this name."""
        schedule = self.values.get("schedule")
        return schedule if isinstance(schedule, str) else "round-robin"

    @property
    def stop(self) -> str:
        """The kind of the rule that may end it before its last round; empty where there is none."""
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
        """Which public value is mixed into the secret; empty where none is."""
        return str(self.values.get("entropy", ""))

    @property
    def opening(self) -> tuple[int, int] | None:
        """Of a single match that goes on from another: the number of that one, and how many of its answers."""
        opening = self.values.get("opening")
        return (opening[0], opening[1]) if opening else None

    @property
    def redeal(self) -> Any:
        """What of such a match was dealt anew, as `referee.engine.redeal.Redeal.from_json` reads it; None: nothing."""
        return self.values.get("redeal")

    @property
    def clock(self) -> StoredClock | None:
        """The time control; None where that is not known."""
        time = self.values.get("time")
        if not isinstance(time, dict) or not {"move_time_ms", "bank_ms"} <= time.keys():
            return None
        return StoredClock(**{name: time[name] for name in StoredClock.__slots__ if name in time})

    @property
    def field(self) -> Sequence[dict[str, Any]]:
        """The bots that began it, as `Entrant.from_json` reads them; the oldest definitions name none."""
        bots: Sequence[dict[str, Any]] = self.values.get("field", ())
        return bots


def _without_places(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without the places at which the files of bots lie; their fingerprints stay."""
    return values | {"field": [_without_place(bot) for bot in values.get("field", ())]}


def _without_place(bot: dict[str, Any]) -> dict[str, Any]:
    """Return a bot with its command as it is on every machine.

    The program is called by its name without a version (python3.11: python), a file by its path in the bot's folder or,
    beyond that, by its name.
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
