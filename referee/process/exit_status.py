"""Exit statuses: how a process ended, by an exit code or a signal."""

import signal
from typing import NamedTuple, Self


class ExitStatus(NamedTuple):
    """How a process ended by itself."""

    code: int | None = None
    """The exit code, 0 to 255; None where a signal ended the process."""
    signal: int | None = None
    """The number of the signal that ended the process; None where none did."""

    @classmethod
    def of(cls, status: int) -> Self:
        """Parse an exit status in the form of `subprocess.Popen.returncode`.

        Sandboxes, guardians, bridges and shells exit with 128 + N where signal N ended the program inside. A program
        that exits with such a code itself looks the same.
        """
        number = -status if status < 0 else status - 128
        if number > 0 and (status < 0 or number in signal.valid_signals()):
            return cls(signal=number)
        return cls(code=status)

    def __str__(self) -> str:
        """Return the predicate of a sentence about the process."""
        if self.signal is None:
            return f"exited with code {self.code}"
        return f"was ended by signal {signal_name(self.signal)}"


def signal_name(number: int) -> str:
    """Return the name of a signal, or its number where it has none: real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
