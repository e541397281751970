"""Says what is known of a bot that said no valid hello in time, in words that tell its author what to look at."""

from dataclasses import dataclass

from referee.connection.endpoints import Approach
from referee.process.bot_process import OUTPUT_BYTES
from referee.process.cpu_accounting import CpuUse

BUSY_SHARE = 0.8
"""The share of its time from which a bot is said to have computed all the time, or to have had no core."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A bot that runs and said no valid hello in time."""

    approach: Approach
    """How far it came."""
    use: CpuUse | None
    """Its CPU use; None where it is unknown, or something else says enough."""
    seconds: float
    """How long it had."""
    printed: int
    """How many bytes it printed, as far as they were read."""

    @property
    def is_idle(self) -> bool:
        """Whether it made no call, and neither computed nor printed instead."""
        return (
            not self.approach.is_known
            and self.printed <= OUTPUT_BYTES
            and self.use is not None
            and self.use.ran + self.use.waited < BUSY_SHARE * self.seconds
        )

    @property
    def sentence(self) -> str:
        """What is known of it, to follow the sentence that it said no valid hello in time."""
        if self.approach.is_known:
            return f": {self.approach.sentence}"
        if self.printed > OUTPUT_BYTES:
            return (
                f": {self.approach.sentence} and printed {self.printed / 1e6:.1f} MB: print less, as whoever prints "
                f"more than {OUTPUT_BYTES >> 10} KB has to wait"
            )
        if self.use is None:
            return f": {self.approach.sentence}"
        computed = f": {self.approach.sentence} and computed for {self.use.ran:.1f} s of that time"
        if self.use.ran >= BUSY_SHARE * self.seconds:
            return f"{computed}: does it loop, or load too much, before it connects to ARENA_ADDRESS?"
        if not self.is_idle:
            return f"{computed}; for {self.use.waited:.1f} s there was no core for it: give it more time to start"
        return f"{computed}: it waits for something; it must connect to ARENA_ADDRESS and say hello"
