"""The messages that a check sends to a bot, and the answers that it expects.

The protocol allows all of them, but some are rare in a match at a referee: questions that an earlier process left
open, matches that end with a question open, empty messages, very large question numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import inf

import trio

from arena.bots.report import StepFailed
from arena.bots.scripted_player import ScriptedPlayer
from arena.bridge.json_messages import json_value
from arena.sdk.recorded_question import AskedQuestion, RecordedQuestion
from arena.values.definition import TimeControl
from referee.codec import ViewEncoder
from referee.engine.chance import Chance
from referee.engine.events import text, values_text, visible
from referee.engine.game import Game, State
from referee.v1.play_pb2 import Answer, PlayResponse, Turns
from referee.wire import describe_illegal, view_message, view_schema, view_type

LARGE_NUMBER = 2**53 + 1
"""A question number that a 64-bit floating-point number cannot represent."""

BATCH_MATCHES = 4
"""Questions in one message, each of another match."""


@dataclass(frozen=True, slots=True)
class ScriptedMatch:
    """A match of the script."""

    match: int
    """The number of the match on the stream."""
    state: State
    """The position of the match."""

    @property
    def seat(self) -> int:
        """The bot's seat: the one that is asked first."""
        return self.state.asked[0]


class ProtocolScript:
    """Asks one bot questions of one game.

    at_once: the most matches that the bot plays at the same time.
    asked_at: when it was asked last, in seconds on trio's clock.
    """

    def __init__(
        self,
        game: Game,
        script: ScriptedPlayer,
        seconds: float,
        ready_seconds: float = inf,
        *,
        limit: str = "",
        excuses: bool = True,
    ) -> None:
        """Prepare the script.

        seconds: the time limit of each answer.
        ready_seconds: the time limit to get ready for a match, where the bot asks for it.
        limit: the time limit of each answer in words; empty: its seconds.
        excuses: what the bot waits for a core is not part of its time.
        """
        self._game = game
        self._script = script
        self._seconds = seconds
        self._ready_seconds = ready_seconds
        self._limit = limit
        self._excuses = excuses
        self._matches = 0
        self._questions = 0
        self.at_once = script.matches_at_once
        self.asked_at = 0.0

    async def get_ready(self) -> None:
        """Let the bot get ready for a match, in which it is asked nothing."""
        self._end(await self._start(1))

    async def ask_first(self) -> str:
        """Ask the first question of a match and return the move."""
        [move] = await self._ask_all(1)
        return move

    async def repeat_question(self) -> None:
        """Ask a question as if an earlier process had left it open."""
        await self._ask_all(1, again=True)

    async def ask_batch(self) -> None:
        """Ask questions of several matches in one message, last match first."""
        await self._ask_all(min(BATCH_MATCHES, self.at_once))

    async def send_unusual_messages(self) -> None:
        """Send messages that need no answer, then check that the bot still answers."""
        self._script.say(PlayResponse())
        self._script.tell(Turns())
        self._end(await self._start(1))
        await self._ask_all(1)

    async def ask_large_number(self) -> None:
        """Ask a question whose number a floating-point number cannot represent."""
        await self._ask_all(1, skip_to=LARGE_NUMBER)

    async def _ask_all(self, matches: int, *, again: bool = False, skip_to: int = 0) -> list[str]:
        """Start matches, ask a question in each, last match first, end them, and return the moves.

        A bot that does not get ready has the starts in the message of the questions.

        skip_to: the number of the first question; 0: the next one.

        Raises StepFailed if an answer is missing or illegal.
        """
        turns = Turns()
        talks = await self._start(matches, turns)
        self._questions = max(self._questions, skip_to - 1)
        asked = {self._ask(turns, talk, again): talk for talk in reversed(talks)}
        self.asked_at = trio.current_time()
        self._script.tell(turns)
        answers = await self._script.receive_answers(list(asked), self._seconds, self._limit, excuses=self._excuses)
        legal = {number: talk.state.legal(talk.seat) for number, talk in asked.items()}
        moves = []
        for number, answer in answers.items():
            try:
                moves.append(move_of(answer, legal[number]))
            except StepFailed as failure:
                if any(answer.text in others for others in legal.values()):
                    hint = "but in another match of the message: does each answer have the id of its own question?"
                    raise StepFailed(f"{failure}; {hint}") from None
                raise
        self._end(talks)
        return moves

    async def _start(self, matches: int, turns: Turns | None = None) -> list[ScriptedMatch]:
        """Start matches at tables of the recommended size; a bot that asks for it gets ready for each.

        turns: a message to which the starts are added instead of being sent, where nothing has to be awaited.
        """
        started = []
        for _ in range(matches):
            message = Turns() if turns is None or self._script.wants_ready else turns
            started.append(self._add_start(message))
            if message is not turns:
                await start_match(self._script, message, self._questions, self._ready_seconds)
        return started

    def _add_start(self, turns: Turns) -> ScriptedMatch:
        self._matches += 1
        game, seats = self._game, self._game.recommended
        seed, state = _position(game, self._matches)
        talk = ScriptedMatch(self._matches, state)
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
        if self._script.wants_ready:
            self._questions += 1
        return talk

    def _ask(self, turns: Turns, talk: ScriptedMatch, again: bool) -> int:
        """Add a question of a match and return its number."""
        self._questions += 1
        state, lines = talk.state, self._game.lines
        question = turns.questions.add(
            id=self._questions,
            match=talk.match,
            view=ViewEncoder(self._game).encode(state.view(talk.seat)),
            legal=state.legal(talk.seat),
            again=again,
        )
        if self._script.wants_events:
            told = [event for event in state.events if visible(lines, event, talk.seat)]
            as_values = self._script.wants_values
            question.events.extend([values_text(event) if as_values else text(lines, event) for event in told])
        return self._questions

    def _end(self, talks: Sequence[ScriptedMatch]) -> None:
        """End matches without scores and ranks."""
        turns = Turns()
        for talk in talks:
            turns.ends.add(match=talk.match)
        self._script.tell(turns)


async def start_match(script: ScriptedPlayer, turns: Turns, number: int, seconds: float) -> None:
    """Send the start of a match, and wait until the bot is ready for it where it asks for that.

    turns: a message with the start.
    number: that of the question whether it is ready.
    seconds: the time limit.

    Raises StepFailed if it is not ready in time, or answers something else.
    """
    [start] = turns.starts
    if script.wants_ready:
        start.ready_question = number
        start.ready_time_ms = 0 if seconds == inf else round(seconds * 1000)
    script.tell(turns)
    if not script.wants_ready:
        return
    try:
        answer = (await script.receive_answers([number], seconds))[number]
    except StepFailed as failure:
        if failure.is_slow:
            raise StepFailed(f"it was not ready for a match within {seconds:g} s", is_slow=True) from None
        raise
    if not answer.HasField("index") or answer.index:
        raise StepFailed("it answered a ready question with something else than the index 0")


def first_question(game: Game, time: TimeControl) -> RecordedQuestion:
    """Return the first question that the script asks of a game, to be asked again.

    time: the clock of the check.
    """
    seed, state = _position(game, 1)
    seat = state.asked[0]
    view = view_message(game).FromString(ViewEncoder(game).encode(state.view(seat)))
    told = [event for event in state.events if visible(game.lines, event, seat)]
    events = tuple([text(game.lines, event) for event in told])
    return RecordedQuestion(
        game=game.name,
        behaviour=game.behaviour,
        options={},
        seats=game.recommended,
        seat=seat,
        view_type=view_type(game),
        bot_seed=sha256(seed).digest(),
        question=AskedQuestion(
            json_value(view), tuple(state.legal(seat)), events, time.bank_ms, values=tuple(map(values_text, told))
        ),
        move_time_ms=time.move_time_ms,
        bank_ms=time.bank_ms,
        source={"check": "first answer"},
    )


def _position(game: Game, match: int) -> tuple[bytes, State]:
    """Return the seed and the first position of a match of the script, by its number."""
    seed = sha256(f"conversation {match}".encode()).digest()
    return seed, game.start(game.options(), game.recommended, Chance(seed))


def move_of(answer: Answer, legal: Sequence[str]) -> str:
    """Return the move of an answer. Raises StepFailed if it is illegal."""
    if answer.text in legal:
        return answer.text
    if answer.text or not answer.HasField("index") or answer.index >= len(legal):
        raise StepFailed(describe_illegal(answer.index if answer.HasField("index") else -1, answer.text, legal))
    return legal[answer.index]
