"""What a probe tells a bot, and what the bot must say to that.

Every message is one that the protocol allows. Some are such as a match at a referee would not bring about, or not
often: a question that a process before this one left open, matches that end with a question open, messages without
anything in them, numbers that no counting would reach.
"""

from collections.abc import Sequence
from hashlib import sha256

from arena.checking.report import StepFailed
from arena.checking.script import Script
from referee.engine.chance import Chance
from referee.engine.game import Game, State
from referee.v1.play_pb2 import Answer, PlayResponse, Turns
from referee.wire import ViewEncoder, clean, view_schema, view_type

FAR = 2**53 + 1
"""A question's number that no floating-point number holds."""


class Conversation:
    """Questions of one game to one bot. seconds: how long an answer may take. schema: it wants that of the views."""

    def __init__(self, game: Game, script: Script, seconds: float, *, schema: bool) -> None:
        self._game = game
        self._script = script
        self._seconds = seconds
        self._schema = schema
        self._match = 0
        self._question = 0

    async def first(self) -> str:
        """Ask the first question of a match and return the move."""
        turns = Turns()
        state = self._start(turns)
        number = self._ask(turns, state)
        self._script.tell(turns)
        return self._moves(await self._script.hear([number], self._seconds), {number: state})[0]

    async def asked_again(self) -> None:
        """Ask, as a process started anew would be asked what its predecessor left open."""
        turns = Turns()
        state = self._start(turns)
        number = self._ask(turns, state, again=True)
        self._script.tell(turns)
        self._moves(await self._script.hear([number], self._seconds), {number: state})

    async def many(self) -> None:
        """Ask about several matches in one message, in an order that is not that of the matches."""
        turns = Turns()
        states = [self._start(turns) for _ in range(4)]
        matches = range(self._match, 0, -1)
        asked = {self._ask(turns, state, match): state for match, state in zip(matches, reversed(states), strict=False)}
        self._script.tell(turns)
        self._moves(await self._script.hear(list(asked), self._seconds), asked)

    async def odd(self) -> None:
        """Say what need not be answered, then see whether the bot still answers."""
        self._script.say(PlayResponse())
        self._script.tell(Turns())
        turns = Turns()
        self._start(turns)
        self._script.tell(turns)
        ended = Turns()
        ended.ends.add(match=self._match)  # no scores, no ranks: it did not end by its rules
        self._script.tell(ended)
        await self.first()

    async def far(self) -> None:
        """Ask a question with a number beyond what a floating-point number holds."""
        self._question = FAR - 1
        await self.first()

    def _start(self, turns: Turns) -> State:
        """Begin a match of a usual table, in the seat that is asked first."""
        self._match += 1
        game, seats = self._game, self._game.recommended
        seed = sha256(f"conversation {self._match}".encode()).digest()
        state = game.start(game.options(), seats, Chance(seed))
        start = turns.starts.add(
            match=self._match,
            game=game.name,
            behaviour=game.behaviour,
            seats=seats,
            seat=state.asked[0],
            view_type=view_type(game),
            bot_seed=sha256(seed).digest(),
            move_time_ms=int(self._seconds * 1000),
        )
        if self._schema:
            start.schema.CopyFrom(view_schema(game))
        return state

    def _ask(self, turns: Turns, state: State, match: int = 0, *, again: bool = False) -> int:
        self._question += 1
        seat = state.asked[0]
        turns.questions.add(
            id=self._question,
            match=match or self._match,
            view=ViewEncoder(self._game)(state.view(seat)),
            legal=state.legal(seat),
            again=again,
        )
        return self._question

    def _moves(self, answers: dict[int, Answer], asked: dict[int, State]) -> list[str]:
        """Return the moves of answers. Raises StepFailed for one that is not legal."""
        return [_move(answers[number], state.legal(state.asked[0])) for number, state in asked.items()]


def _move(answer: Answer, legal: Sequence[str]) -> str:
    offered = ", ".join(legal[:8]) + (" ..." if len(legal) > 8 else "")
    if answer.text:
        if answer.text in legal:
            return answer.text
        raise StepFailed(f'it answered "{clean(answer.text, 64)}", which is not legal there: {offered}')
    if not answer.HasField("index"):
        raise StepFailed("its answer names no move: set its index or its text")
    if answer.index >= len(legal):
        raise StepFailed(f"it answered with the index {answer.index}, but the legal moves are {len(legal)}: {offered}")
    return legal[answer.index]
