"""Ask a bot recorded questions again: how does it answer now?

The bot, that of the record or another, takes the seat of the record. It gets all questions of that seat in their
order, so that it can build up its memory of the match; the match goes on with the recorded moves, whatever it answers.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from math import inf

import trio

from arena.bots.probe import Probe, attached, confinement, probing
from arena.bots.report import StepFailed
from arena.bots.script import move_of, start_match
from arena.bots.scripted_player import ScriptedPlayer
from arena.run.exception_groups import unwrap_group
from arena.sdk.errors import BadQuestion
from arena.sdk.question_turns import question_turns
from arena.sdk.recorded_question import AskedQuestion, RecordedQuestion
from arena.values.definition import Entrant, TimeControl
from arena.values.errors import ArenaError
from referee.engine import registry
from referee.engine.clean_text import clean
from referee.process.awake_clock import run_awake
from referee.session.local_session import Program
from referee.v1.play_pb2 import Answer, Turns
from referee.v1.work_pb2 import Invitation
from referee.wire import view_message, view_schema, view_type

TEXT = 1024
"""Characters of a note that are kept."""

_NOTHING: Mapping[str, str] = {}

UNLIMITED_SECONDS = 60.0
"""The time for an answer to a question that had no time limit."""


class QuestionError(ArenaError):
    """A recorded question cannot be asked. The text says why."""


@dataclass(frozen=True, slots=True)
class RepeatedAnswer:
    """A recorded question with the bot's answer to it now.

    legal, recorded: the legal moves and the recorded one.
    note, said: the note and the talk of the answer, with control characters removed.
    """

    number: int
    """The number of the question among those of its seat, from 1."""
    legal: tuple[str, ...]
    recorded: str
    fault: str
    """Why the referee played the recorded move, in words; empty if the bot of the record chose it."""
    move: str
    """The bot's move now; empty for an illegal one, which `error` describes."""
    error: str
    seconds: float
    """The time that the answer took, in seconds."""
    note: str
    said: str

    @property
    def is_as_recorded(self) -> bool:
        """Whether the bot answers as the bot of the record did; never where that failed."""
        return bool(self.move) and not self.fault and self.move == self.recorded


@dataclass(frozen=True, slots=True)
class RepeatedQuestions:
    """The answers of a bot to the recorded questions of a seat."""

    before: tuple[RepeatedAnswer, ...]
    """The answers to the earlier questions."""
    answer: RepeatedAnswer | None
    """The answer to the question itself; None if the bot failed earlier."""
    failure: str
    """How the bot failed, in words; empty if it answered all questions."""
    output: str
    """What the bot printed."""

    @property
    def otherwise(self) -> list[RepeatedAnswer]:
        """The earlier questions that the bot of the record answered, and that this one answers differently."""
        return [answer for answer in self.before if not answer.fault and not answer.is_as_recorded]


def ask_again(
    recorded: RecordedQuestion,
    bot: Entrant,
    *,
    move_time_ms: int | None = None,
    sandbox: str = "auto",
    invite: Callable[[Invitation], None] | None = None,
) -> RepeatedQuestions:
    """Ask a bot a recorded question, after all earlier questions of its seat.

    move_time_ms: the time for each answer, 0 for no limit (a minute); None: the recorded move time and what was left of
        the bank.
    sandbox: how the bot is confined.
    invite: called with where the bot dials, if `bot` is attached: it has no clock, and may leave and dial again, and is
        then asked from the first question on.

    Raises QuestionError if the bot does not play the game, or the question does not fit the installed rules.
    """
    try:
        return run_awake(_ask, recorded, bot, move_time_ms, sandbox, invite)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


async def _ask(
    recorded: RecordedQuestion,
    bot: Entrant,
    move_time_ms: int | None,
    sandbox: str,
    invite: Callable[[Invitation], None] | None,
) -> RepeatedQuestions:
    views = encoded_views(recorded)
    if bot.games and recorded.game not in bot.games:
        raise QuestionError(
            f"{bot.name} does not play {recorded.game}: its bot.toml names {', '.join(bot.games)}; "
            "ask another bot, or leave out this question"
        )
    async with _sessions(recorded, bot, sandbox, invite) as start:
        while True:
            answers: list[RepeatedAnswer] = []
            failure = ""
            async with start() as probe:
                try:
                    if not probe.session.is_welcomed:
                        await probe.gone.wait()
                        raise StepFailed(probe.script.failure)
                    clocked = invite is None
                    await ask_all(probe.script, recorded, views, answers.append, move_time_ms, clocked=clocked)
                except StepFailed as stopped:
                    failure = str(stopped)
                await probe.end()
                output = probe.script.output.text()
            if invite is None or len(answers) == len(recorded.asked):
                break
    answer = answers.pop() if len(answers) == len(recorded.asked) else None
    return RepeatedQuestions(tuple(answers), answer, failure, output)


def encoded_views(recorded: RecordedQuestion) -> list[bytes]:
    """Return the views of a question as they are sent.

    Raises QuestionError if they do not fit the installed rules, UnknownGame if there are none.
    """
    game = registry.game(recorded.game)
    if recorded.view_type != view_type(game):
        raise QuestionError(
            f"its views are {recorded.view_type} messages, but {recorded.game} has {view_type(game)} now: "
            "export the question again"
        )
    try:
        return recorded.encoded_views(view_message(game))
    except BadQuestion as error:
        raise QuestionError(str(error)) from None


@asynccontextmanager
async def _sessions(
    recorded: RecordedQuestion, bot: Entrant, sandbox: str, invite: Callable[[Invitation], None] | None
) -> AsyncIterator[Callable[[], AbstractAsyncContextManager[Probe]]]:
    """Yield a function that starts the bot or, if it is attached, waits for it."""
    if invite is not None:
        async with attached(recorded.game, recorded.seat, invite) as probes:
            yield probes.wait
        return
    yield partial(probing, program_of(bot, sandbox), recorded.game, bot.matches_at_once)


def program_of(bot: Entrant, sandbox: str, variables: Mapping[str, str] = _NOTHING) -> Program:
    """Return how a bot is started.

    sandbox: how it is confined.
    variables: environment variables that it gets beyond those of every bot.
    """
    time = TimeControl()
    memory = min(time.memory_bytes, bot.memory_bytes or time.memory_bytes)
    start = (bot.start_time_ms or time.start_time_ms) / 1000
    return Program(bot.command, bot.folder, start, memory, confinement(sandbox), secrets=variables)


async def ask_all(
    script: ScriptedPlayer,
    recorded: RecordedQuestion,
    views: list[bytes],
    take: Callable[[RepeatedAnswer], None],
    move_time_ms: int | None = None,
    *,
    clocked: bool = True,
) -> None:
    """Ask all questions, one after the other.

    views: those of the questions, as they are sent.
    take: called with each answer as it comes.
    move_time_ms: as in `ask_again`.
    clocked: whether answers have a time limit.

    Raises StepFailed if the bot fails to answer one.
    """
    ready_seconds = TimeControl().ready_time_ms / 1000 if clocked else inf
    schema = view_schema(registry.game(recorded.game)) if script.wants_schema else None
    turns = question_turns(
        recorded, views, events=script.wants_events, values=script.wants_values, schema=schema, clock=clocked
    )
    for number, (asked, sent) in enumerate(zip(recorded.asked, turns, strict=True), start=1):
        seconds = _limit(recorded, asked, move_time_ms) if clocked else inf
        try:
            if sent.starts and script.wants_ready:
                await start_match(script, Turns(starts=sent.starts), len(recorded.asked) + 1, ready_seconds)
                del sent.starts[:]
            began = trio.current_time()
            script.tell(sent)
            answer = (await script.receive_answers([number], seconds))[number]
        except StepFailed as failure:
            raise StepFailed(f"{failure} (at question {number} of {len(recorded.asked)})") from None
        take(_repeated(number, asked, answer, trio.current_time() - began))


def _limit(recorded: RecordedQuestion, asked: AskedQuestion, move_time_ms: int | None) -> float:
    """Return the seconds that an answer may take."""
    if move_time_ms is None:
        move_time_ms = recorded.move_time_ms + asked.bank_ms if recorded.move_time_ms else 0
    return move_time_ms / 1000 or UNLIMITED_SECONDS


def _repeated(number: int, asked: AskedQuestion, answer: Answer, seconds: float) -> RepeatedAnswer:
    move = error = ""
    try:
        move = move_of(answer, asked.legal)
    except StepFailed as illegal:
        error = str(illegal)
    note, said = clean(" / ".join(answer.note.splitlines()), TEXT), clean(answer.say, TEXT)
    return RepeatedAnswer(number, asked.legal, asked.move, asked.fault, move, error, seconds, note, said)
