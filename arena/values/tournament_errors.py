"""What can keep a tournament from being played.

    TournamentError
    ├── FieldError      a bot is unknown, missing, changed or no program of this machine
    │   └── NotUtf8         its path, or an argument of its command line, is not UTF-8
    ├── HostingError    bots cannot be run on this machine as asked
    ├── PlanError       rounds, seats and field do not fit together, or the plan is of another version
    ├── RefereeError    referee processes do not start or die again and again
    │   └── MachineBusy     for want of CPU time: later it may go well
    ├── PlayedError     another process plays the tournament
    ├── StartupError    no bot of the field comes up
    └── ExecutorError   there is no cluster on which referees could work

Each message says what happened and what to do.
"""

from arena.values.errors import ArenaError


class TournamentError(ArenaError):
    """Base of all errors of tournaments."""


class FieldError(TournamentError):
    """A bot is unknown, missing, changed, or no program that this machine can start."""


class NotUtf8(FieldError):
    """The path of a bot, or an argument of its command line, is not UTF-8."""


class HostingError(TournamentError):
    """Bots cannot be run on this machine as asked."""


class PlanError(TournamentError):
    """Rounds, seats and field do not fit together, or the plan was made by another version."""


class PlayedError(TournamentError):
    """Another process plays the tournament."""


class RefereeError(TournamentError):
    """A referee process does not start, or dies again and again."""


class MachineBusy(RefereeError):
    """The machine has too little CPU time to start a referee, or to tell how fast a bot is."""


class StartupError(TournamentError):
    """No bot of the field said hello to a referee."""


class ExecutorError(TournamentError):
    """There is no cluster on which referees could work."""
