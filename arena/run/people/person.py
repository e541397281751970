"""The bot that asks a person at the terminal for its moves."""

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

from arena.run.people.command_interface import CommandInterface, PlayCommand
from arena.run.people.event_values import ValuesCodec, events_of
from arena.run.people.terminal import Terminal
from arena.sdk import Bot, Match, Question
from arena.sdk.blocking import play
from arena.sdk.errors import CallLost
from arena.values import view_text
from referee.engine.errors import MoveError
from referee.v1.work_pb2 import Invitation

MOST_ERROR_CHARACTERS = 400


class Quit(Exception):
    """The person leaves the match."""


class Person(Bot[Any]):
    """A person at a terminal."""

    name = "person"
    matches_at_once = 1
    wants_events = True

    def __init__(self, commands: CommandInterface, terminal: Terminal) -> None:
        self._commands = commands
        self._terminal = terminal
        self._log: list[str] = []
        self._has_talk = commands.has_talk

    def join(self, invitation: Invitation) -> None:
        """Play until the match is over or the referee has ended. Raises Quit, or KeyboardInterrupt."""
        self._log.clear()  # after a reconnection the referee sends the log from the start
        try:
            play(ValuesCodec(self, invitation.token), invitation.address)
        except CallLost as loss:
            self._terminal.show([f"the connection to the referee was lost: {loss}"])

    def match_started(self, match: Match) -> None:
        self._terminal.show(["", *self._commands.introduction()])

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._terminal.show(["", *self._lines(match.events), ""])

    def choose(self, question: Question[Any]) -> str:
        self._terminal.show(["", *self._lines(question.events)])
        self._terminal.show(["", *view_text.brief(question.view, self._terminal.width)])
        self._show_choices(question)
        completions = [*question.legal, *(command.value for command in PlayCommand), *["say "] * self._has_talk]
        while True:
            line = self._terminal.ask(f"seat {question.match.seat}> ", completions).strip()
            if self._has_talk and line.lower().startswith("say "):
                question.say(line[4:].strip())
                self._terminal.show(["the table hears it with your move"])
                continue
            try:
                answer = self._commands.parse(line, question.legal)
            except MoveError as error:
                self._terminal.show([shorten(str(error), MOST_ERROR_CHARACTERS, placeholder=" ...")])
                continue
            if not isinstance(answer, PlayCommand):
                return answer
            self._terminal.show(self._run_command(answer, question))
            self._show_choices(question)

    def _lines(self, arrays: Iterable[str]) -> list[str]:
        """Return new lines of the log, which are kept."""
        lines = [self._commands.line(event) for event in events_of(arrays)]
        self._log += lines
        return lines

    def _show_choices(self, question: Question[Any]) -> None:
        self._terminal.show(self._commands.choices(question.legal, self._terminal.width))

    def _run_command(self, command: PlayCommand, question: Question[Any]) -> Iterator[str]:
        """Yield the output of a command. Raises Quit for `quit`."""
        match command:
            case PlayCommand.VIEW:
                yield from view_text.full(question.view, self._commands.meanings, self._terminal.width)
            case PlayCommand.LOG:
                yield from self._log
            case PlayCommand.HELP:
                yield from self._commands.help()
            case PlayCommand.QUIT:
                raise Quit
        yield ""
