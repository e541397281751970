"""What a probe tells a bot, and what the bot must say to that.

Every message is one that the protocol allows. Some are such as a match at a referee would not bring about, or not
often: a question that a process before this one left open, matches that end with a question open, messages without
anything in them, numbers that no counting would reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.checking.report import StepFailed
from arena.checking.scripted_player import Script
from referee.engine.chance import Chance
from referee.engine.events import text, visible
from referee.engine.game import Game, State
from referee.v1.play_pb2 import Answer, PlayResponse, Turns
from referee.wire import ViewEncoder, describe_illegal, view_schema, view_type

FAR = 2**53 + 1
"""A question's number that no floating-point number holds."""


MANY = 4
"""Matches that are asked about in one message."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A match of the conversation: its number on the stream, and its position."""

    match: int
    state: State

    @property
    def seat(self) -> int:
        """The seat of the bot: the one that is asked first."""
        return self.state.asked[0]


class Conversation:
    """Questions of one game to one bot, never about more matches at once than it wants.

    at_once: how many that are.
    """

    def __init__(self, game: Game, script: Script, seconds: float) -> None:
        """Begin one. seconds: how long an answer may take."""
        self._game = game
        self._script = script
        self._seconds = seconds
        self._matches = 0
        self._questions = 0
        self.at_once = script.matches_at_once

    async def first(self) -> str:
        """Ask the first question of a match and return the move."""
        [move] = await self._ask_all(1)
        return move

    async def asked_again(self) -> None:
        """Ask, as a process started anew would be asked what its predecessor left open."""
        await self._ask_all(1, again=True)

    async def many(self) -> None:
        """Ask about several matches in one message, in an order that is not that of the matches."""
        await self._ask_all(min(MANY, self.at_once))

    async def odd(self) -> None:
        """Say what need not be answered, then see whether the bot still answers."""
        self._script.say(PlayResponse())
        self._script.tell(Turns())
        turns = Turns()
        unasked = self._start(turns)
        self._script.tell(turns)
        self._end([unasked])
        await self._ask_all(1)

    async def far(self) -> None:
        """Ask a question with a number beyond what a floating-point number holds."""
        self._questions = FAR - 1
        await self._ask_all(1)

    async def _ask_all(self, matches: int, *, again: bool = False) -> list[str]:
        """Begin matches, ask about each, the last first, break them off, and return the moves.

        Raises StepFailed where an answer is missing, or not legal.
        """
        turns = Turns()
        talks = [self._start(turns) for _ in range(matches)]
        asked = {self._ask(turns, talk, again): talk for talk in reversed(talks)}
        self._script.tell(turns)
        answers = await self._script.hear(list(asked), self._seconds)
        moves = [move_of(answers[number], talk.state.legal(talk.seat)) for number, talk in asked.items()]
        self._end(talks)
        return moves

    def _start(self, turns: Turns) -> Talk:
        """Begin a match of a usual table."""
        self._matches += 1
        game, seats = self._game, self._game.recommended
        seed = sha256(f"conversation {self._matches}".encode()).digest()
        talk = Talk(self._matches, game.start(game.options(), seats, Chance(seed)))
        start = turns.starts.add(
            match=talk.match,
            game=game.name,
            behaviour=game.behaviour,
            seats=seats,
            seat=talk.seat,
            view_type=view_type(game),
            bot_seed=sha256(seed).digest(),
            move_time_ms=int(self._seconds * 1000),
        )
        if self._script.wants_schema:
            start.schema.CopyFrom(view_schema(game))
        return talk

    def _ask(self, turns: Turns, talk: Talk, again: bool) -> int:
        """Add the question of a match and return its number."""
        self._questions += 1
        state, lines = talk.state, self._game.lines
        question = turns.questions.add(
            id=self._questions,
            match=talk.match,
            view=ViewEncoder(self._game)(state.view(talk.seat)),
            legal=state.legal(talk.seat),
            again=again,
        )
        if self._script.wants_events:
            question.events.extend(text(lines, event) for event in state.events if visible(lines, event, talk.seat))
        return self._questions

    def _end(self, talks: Sequence[Talk]) -> None:
        """Break matches off: they have neither scores nor ranks."""
        turns = Turns()
        for talk in talks:
            turns.ends.add(match=talk.match)
        self._script.tell(turns)


def move_of(answer: Answer, legal: Sequence[str]) -> str:
    """Return the move of an answer. Raises StepFailed where it is none of those that were legal."""
    if answer.text in legal:
        return answer.text
    if answer.text or not answer.HasField("index") or answer.index >= len(legal):
        raise StepFailed(describe_illegal(answer, legal))
    return legal[answer.index]
