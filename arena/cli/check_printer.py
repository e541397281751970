"""What a check prints while it runs: each step as it is finished, and how far its matches are."""

import sys
from textwrap import wrap
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.cli.output import echo
from arena.run.progress import LINE_SECONDS, duration
from arena.values.texts import printable

if TYPE_CHECKING:
    from rich.live import Live

    from arena.bots.report import CheckStep
    from arena.bots.trial_pace import TrialProgress

INDENT = " " * 5
"""Before the further lines of a step that a terminal is too narrow for."""


class CheckPrinter:
    """Prints a check; a context manager.

    On a terminal the progress is one line that changes; otherwise there is a line every few seconds.

    steps_aside: print the steps on stderr, as standard output has one JSON document.
    """

    def __init__(self, *, steps_aside: bool) -> None:
        self._steps_aside = steps_aside
        self._live: Live | None = None
        self._began = self._printed = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def step(self, step: "CheckStep") -> None:
        """Print a finished step."""
        self._clear()
        line = step_line(step)
        if (sys.stderr if self._steps_aside else sys.stdout).isatty():
            line = "\n".join(wrap(line, _columns(), subsequent_indent=INDENT, drop_whitespace=True))
        echo(line, err=self._steps_aside)

    def say(self, line: str) -> None:
        """Print a line for people."""
        self._clear()
        echo(line, err=True)

    def progress(self, progress: "TrialProgress") -> None:
        """Show how far the matches of a step are."""
        left = "" if progress.seconds_left is None else f", about {duration(progress.seconds_left)} left"
        line = f"{progress.title}: {progress.done} of {progress.total} matches{left}"
        if sys.stderr.isatty():
            self._show(line)
        elif (now := monotonic()) - self._printed >= LINE_SECONDS:
            self._printed = now
            echo(line, err=True)

    def _show(self, line: str) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        text = Text(printable(line), no_wrap=True, overflow="ellipsis")
        if self._live is None:
            console = Console(stderr=True)
            self._live = Live(text, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
            self._live.start()
        else:
            self._live.update(text)

    def _clear(self) -> None:
        """Take away the line that changes."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def step_line(step: "CheckStep") -> str:
    """Return the line of a step."""
    return f"{step.number:>3}. {step.verdict:<8}{step.title}: {step.sentence}"


def _columns() -> int:
    from shutil import get_terminal_size

    return max(get_terminal_size().columns, 20)
