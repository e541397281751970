"""The terminal: lines out, lines in, with completion where there is a terminal."""

import shutil
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper

import click

from arena.texts import printable

WIDEST = 120


class Terminal:
    """Standard input and output as a person uses them; where they are none, lines typed are repeated."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._by_hand = sys.stdin.isatty() and sys.stdout.isatty()
        self._choices: Sequence[str] = ()
        self._fitting: Sequence[str] = ()
        if self._by_hand:
            self._complete_lines()

    @property
    def width(self) -> int:
        """How many characters a line holds."""
        return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)

    def show(self, lines: Iterable[str]) -> None:
        """Print lines."""
        for line in lines:
            click.echo(printable(line))

    def ask(self, prompt: str, choices: Sequence[str]) -> str:
        """Return the line that the person types; `choices` are what Tab completes to.

        Raises KeyboardInterrupt at Ctrl-C, Ctrl-D and the end of the input.
        """
        self._choices = choices
        try:
            line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            click.echo()
            raise KeyboardInterrupt from None
        if not self._by_hand:
            click.echo(printable(line))
        return line

    def _complete_lines(self) -> None:
        try:
            import readline  # not every build of Python has it, and input() is the better for it
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, state: int) -> str | None:
        """Return completion number `state` of a line, as readline asks for them one by one."""
        if state == 0:
            self._fitting = [choice for choice in self._choices if choice.lower().startswith(text.lower())]
        return self._fitting[state] if state < len(self._fitting) else None
