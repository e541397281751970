"""The bot that plays what a person types."""

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from arena.play import view
from arena.play.command_interface import CommandInterface, PlayCommand
from arena.play.terminal import Terminal
from arena.sdk import Bot, Match, Question
from arena.sdk.blocking import play
from arena.sdk.errors import CallLost
from arena.sdk.message_codec import MessageCodec
from referee.engine.errors import MoveError
from referee.v1.work_pb2 import Invitation

LONGEST_COMPLAINT = 400


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
        """Play until the match is over, or the referee gone. Raises Quit, or KeyboardInterrupt."""
        self._log.clear()  # who comes anew is told all from the beginning
        try:
            play(MessageCodec(self, invitation.token), invitation.address)
        except CallLost as loss:
            self._terminal.show([f"the referee is lost: {loss}"])

    def match_started(self, match: Match) -> None:
        self._terminal.show(["", *self._commands.opening()])

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._log += match.events
        self._terminal.show(["", *match.events, ""])

    def choose(self, question: Question[Any]) -> str:
        self._log += question.events
        self._terminal.show(["", *question.events])
        self._terminal.show(["", *view.brief(question.view, self._terminal.width)])
        self._show_choices(question)
        words = [*question.legal, *(wish.value for wish in PlayCommand), *["say "] * self._has_talk]
        while True:
            line = self._terminal.ask(f"seat {question.match.seat}> ", words).strip()
            if self._has_talk and line.lower().startswith("say "):
                question.say(line[4:].strip())
                self._terminal.show(["it will be heard with your move"])
                continue
            try:
                chosen = self._commands.understand(line, question.legal)
            except MoveError as error:
                self._terminal.show([shorten(str(error), LONGEST_COMPLAINT, placeholder=" ...")])
                continue
            if not isinstance(chosen, PlayCommand):
                return chosen
            self._terminal.show(self._granted(chosen, question))
            self._show_choices(question)

    def _show_choices(self, question: Question[Any]) -> None:
        self._terminal.show(self._commands.choices(question.legal, self._terminal.width))

    def _granted(self, wish: PlayCommand, question: Question[Any]) -> Iterator[str]:
        """Yield what was wished for. Raises Quit where it was the end."""
        match wish:
            case PlayCommand.VIEW:
                yield from view.full(question.view, self._commands.meanings, self._terminal.width)
            case PlayCommand.LOG:
                yield from self._log
            case PlayCommand.HELP:
                yield from self._commands.help()
            case PlayCommand.QUIT:
                raise Quit
        yield ""
