"""Processes of bots that failed, as plain Python values.

ProcessFailureRow      one failure                  -> Store.add_matches, Store.add_single
ListedProcessFailure   one line of a list of them   <- Store.process_failures
"""

from dataclasses import dataclass
from datetime import UTC, datetime

FAILURE_KINDS = ("crash", "hung", "memory", "protocol", "start", "connection")
"""The kinds of process failures: those of faults, and the lost connection of a remote bot."""

LINE_CHARACTERS = 200
"""The length to which the last line that a bot printed is cut in a sentence."""


@dataclass(frozen=True, slots=True)
class ProcessFailureRow:
    """One failure of a bot's process.

    phase, player: as in `MatchRow` and `SeatRow`.
    exit_code, signal: how the process ended; at most one of them is not None.
    """

    phase: int
    player: int
    entrant: int
    """The bot whose process it was, by place in the field."""
    time_us: int
    """When the referee noticed the failure, in microseconds since 1970, UTC."""
    kind: str
    """The kind of the failure, one of `FAILURE_KINDS`."""
    sentence: str
    """What happened, in words."""
    exit_code: int | None = None
    signal: int | None = None
    matches: tuple[int, ...] = ()
    """The numbers of the matches in which the process had a question open."""
    guilty: int | None = None
    """The number of the match that caused the failure; None if none did."""
    output: str = ""
    """The end of what the process printed, cleaned."""
    truncated: bool = False
    """Whether the process had printed more."""

    @property
    def time(self) -> str:
        """The time in UTC as ISO 8601 with milliseconds."""
        return datetime.fromtimestamp(self.time_us / 1e6, UTC).isoformat(timespec="milliseconds")

    @property
    def last_words(self) -> str:
        """What happened, with the last line that the bot printed, which is for its owner and organisers."""
        lines = [line for line in self.output.splitlines() if line.strip()]
        return self.sentence + (f', last words "{lines[-1][:LINE_CHARACTERS]}"' if lines else "")


@dataclass(frozen=True, slots=True)
class ListedProcessFailure:
    """One line of a list of failures."""

    tournament: int | None
    """The number of the tournament; None if it happened in none."""
    finished: bool
    """Whether all matches of the tournament, batch or single match are stored."""
    bot: str
    """The name of the bot."""
    first_match: int
    """The id of match number 0."""
    row: ProcessFailureRow
    """The failure."""
    batch: tuple[str, int] | None = None
    """The name of the league and the number of the batch in it; None if it happened in none."""

    @property
    def match_ids(self) -> list[int]:
        """The ids of the matches in which it had a question open."""
        return [self.first_match + number for number in self.row.matches]

    @property
    def guilty_id(self) -> int | None:
        """The id of the guilty match; None if there is none."""
        return None if self.row.guilty is None else self.first_match + self.row.guilty
