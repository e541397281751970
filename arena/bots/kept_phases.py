"""What a check has played already, so that one that was interrupted goes on instead of beginning again.

The check of a bot that thinks for a second before each answer takes some eight minutes, in phases of one to four. Each
restart of a server would throw it back to its beginning. So phases that took long, and in which nothing went wrong, are
kept in the database until the hand-in is finished; one that is to be played exactly alike (the same files, rules,
matches and limits) is taken as it was played. Whatever a bot may be refused for is played anew.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from json import dumps, loads

from google.protobuf.message import DecodeError
from msgspec import to_builtins

import arena
from arena.bots.trial_matches import TrialOutcome, match_number
from arena.bots.trial_tables import TrialTables
from arena.values.definition import TimeControl
from referee.v1.work_pb2 import WorkResponse

LEAST_SECONDS = 15.0
"""How long a phase took that is kept: others are as soon played again as read."""


class KeptPhases:
    """The phases of the check of one hand-in."""

    def __init__(
        self, known: Mapping[str, bytes], keep: Callable[[str, bytes], None], identify: Callable[[], str]
    ) -> None:
        """Prepare them.

        known: those of earlier attempts, packed, by their keys.
        keep: called with the key of a phase that is kept, and with it, packed.
        identify: returns what tells the bot, and how it is run, from others, whose phases do not count.
        """
        self._known = known
        self._keep = keep
        self._identify = identify

    @cached_property
    def _identity(self) -> str:
        return self._identify()

    def find(self, tables: TrialTables, time: TimeControl, *, alone: bool) -> TrialOutcome | None:
        """Return a phase that was played in an earlier attempt; None if it was not.

        alone: whether its matches are played one at a time, backwards.
        """
        if not self._known:
            return None
        packed = self._known.get(self._key(tables, time, alone=alone))
        found = None if packed is None else _unpack(packed)
        if found is None or found.records.keys() != set(range(len(tables.matches))):
            return None
        return found

    def add(self, tables: TrialTables, time: TimeControl, outcome: TrialOutcome, *, alone: bool) -> None:
        """Keep a phase, if it took long and nothing went wrong in it."""
        has_faults = any(record.faults for record in outcome.records.values())
        if outcome.seconds >= LEAST_SECONDS and not outcome.failures and not has_faults:
            self._keep(self._key(tables, time, alone=alone), _pack(outcome))

    def _key(self, tables: TrialTables, time: TimeControl, *, alone: bool) -> str:
        """Return what is the same for phases that are played alike."""
        values = {
            "arena": arena.__version__,
            "identity": self._identity,
            "game": [tables.game.name, tables.game.behaviour],
            "matches": [
                [trial.seats, trial.seat, trial.secret.hex(), trial.options.given()] for trial in tables.matches
            ],
            "time": to_builtins(time),
            "alone": alone,
        }
        return sha256(dumps(values, sort_keys=True).encode()).hexdigest()


def _pack(outcome: TrialOutcome) -> bytes:
    response = WorkResponse(records=outcome.records.values())
    response.ends.add().players.append(outcome.end)
    values = {
        "seconds": outcome.seconds,
        "waited_seconds": outcome.waited_seconds,
        "played": b64encode(response.SerializeToString()).decode(),
    }
    return dumps(values).encode()


def _unpack(packed: bytes) -> TrialOutcome | None:
    """Return a phase that was packed; None if it cannot be read: it is played anew then."""
    try:
        values = loads(packed)
        response = WorkResponse.FromString(b64decode(values["played"]))
        return TrialOutcome(
            {match_number(record.match): record for record in response.records},
            response.ends[0].players[0],
            waited_seconds=float(values["waited_seconds"]),
            seconds=float(values["seconds"]),
            is_kept=True,
        )
    except (ValueError, KeyError, TypeError, IndexError, DecodeError):
        return None
