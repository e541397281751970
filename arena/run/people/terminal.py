"""Line input and output, with completion on a terminal."""

import shutil
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper

import click

from arena.values.texts import printable

MAX_WIDTH = 120


class Terminal:
    """Standard input and output. If they are not a terminal, input lines are echoed."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._choices: Sequence[str] = ()
        self._completions: Sequence[str] = ()
        if self._is_terminal:
            self._complete_lines()

    @property
    def width(self) -> int:
        """The width of a line in characters."""
        return min(MAX_WIDTH, shutil.get_terminal_size((MAX_WIDTH, 24)).columns)

    def show(self, lines: Iterable[str]) -> None:
        """Print lines."""
        for line in lines:
            click.echo(printable(line))

    def ask(self, prompt: str, choices: Sequence[str]) -> str:
        """Prompt for a line and return it.

        choices: the completions that Tab offers.

        Raises KeyboardInterrupt on Ctrl-C, Ctrl-D and at the end of the input.
        """
        self._choices = choices
        try:
            line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            click.echo()
            raise KeyboardInterrupt from None
        if not self._is_terminal:
            click.echo(printable(line))
        return line

    def _complete_lines(self) -> None:
        try:
            import readline  # not in every build of Python; input() uses it once it is imported
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, state: int) -> str | None:
        """Return completion number `state` of a text, for readline."""
        if state == 0:
            self._completions = [choice for choice in self._choices if choice.lower().startswith(text.lower())]
        return self._completions[state] if state < len(self._completions) else None
