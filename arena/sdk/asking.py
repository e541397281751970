"""Ask a bot a recorded question, for its author's tests."""

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from inspect import isawaitable
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any

from arena.sdk.bot import Bot, Move
from arena.sdk.errors import BadQuestion, NoAnswer
from arena.sdk.match import view_class
from arena.sdk.message_codec import MessageCodec
from arena.sdk.question import Question
from arena.sdk.question_turns import question_turns
from arena.sdk.recorded_question import RecordedQuestion, load_question
from referee.v1.play_pb2 import Answer as WireAnswer
from referee.v1.play_pb2 import PlayRequest, PlayResponse

Command = str | PathLike[str] | list[str] | tuple[str, ...]
AskedBot = Bot[Any] | type[Bot[Any]] | Callable[[Question[Any]], Any] | Command


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's answer to a recorded question."""

    move: str
    """The bot's move; empty for an illegal one, which only an answer of `before` can be."""
    seconds: float
    """The time that the answer took."""
    note: str
    """The note that the bot sent with its move; empty for none."""
    said: str
    """The table talk of the bot with its move; empty for none."""
    recorded: str
    """The move of the record."""
    before: "tuple[Answer, ...]" = ()
    """The bot's answers to the earlier questions of the seat."""


def ask(bot: AskedBot, question: RecordedQuestion | str | PathLike[str]) -> Answer:
    """Ask a bot a recorded question and return its answer. It is asked the earlier questions of the seat first.

    bot: a `Bot`, a subclass of it, or a function from a question to a move, which run in this process; or a path or a
        command line, as `arena match` takes them, which is started as in a match.
    question: the path of its file, or what `load_question` returns.

    Raises BadQuestion if the question cannot be read, NoAnswer if the bot gives no legal answer, and whatever a bot in
    this process raises.
    """
    if isinstance(bot, str | PathLike):
        return _ask_process(str(bot), question)
    if isinstance(bot, list | tuple):
        return _ask_process(shlex.join(bot), question)
    recorded = question if isinstance(question, RecordedQuestion) else load_question(Path(question))
    made = bot() if isinstance(bot, type) else bot
    return _ask_here(made if isinstance(made, Bot) else _function_bot(made), recorded)


def _ask_here(bot: Bot[Any], recorded: RecordedQuestion) -> Answer:
    """Ask a bot in this process, through the codec that it has in a match."""
    name = type(bot).__name__
    if bot.games and recorded.game not in bot.games:
        raise BadQuestion(f"the question is of {recorded.game}, but {name} plays only {', '.join(bot.games)}")
    message = view_class(recorded.view_type, recorded.game)
    codec = MessageCodec(bot, "")
    answers: list[Answer] = []
    turns = question_turns(
        recorded,
        recorded.encoded_views(message),
        events=bot.wants_events or bot.wants_positions,
        values=bot.wants_positions,
    )
    for asked, sent in zip(recorded.asked, turns, strict=True):
        [question] = codec.questions(codec.read(PlayResponse(turns=sent).SerializeToString(), _ignore))
        began = perf_counter()
        move = codec.choose([question] if codec.in_batches else question)
        if isawaitable(move):
            move = _wait_for(move)
        seconds = perf_counter() - began
        codec.add_answers([question], move) if codec.in_batches else codec.add_answer(question, move)
        [answer] = PlayRequest.FromString(codec.take_message()).answers.answers
        answers.append(Answer(_move_of(answer, asked.legal), seconds, answer.note, answer.say, asked.move))
    *before, last = answers
    if not last.move:
        raise NoAnswer(f"{name} returned {move!r:.200}, which is not legal there: {', '.join(recorded.question.legal)}")
    return Answer(last.move, last.seconds, last.note, last.said, last.recorded, tuple(before))


def _ignore(message: bytes) -> None:
    pass


def _move_of(answer: WireAnswer, legal: Sequence[str]) -> str:
    """Return the move of an answer; empty if it is illegal."""
    return legal[answer.index] if answer.HasField("index") else ""


def _wait_for(move: Awaitable[Any]) -> Any:
    import trio

    async def wait() -> Any:
        return await move

    return trio.run(wait)


def _function_bot(function: Callable[[Question[Any]], Any]) -> Bot[Any]:
    """Return a bot that answers with a function."""

    class FunctionBot(Bot[Any]):
        wants_events = True

        def choose(self, question: Question[Any]) -> Move | Awaitable[Move]:
            move: Move | Awaitable[Move] = function(question)
            return move

    FunctionBot.__name__ = getattr(function, "__name__", "the function")
    return FunctionBot()


def _ask_process(command: str, question: RecordedQuestion | str | PathLike[str]) -> Answer:
    """Ask the bot of a command line with `arena ask`, which starts it as in a match."""
    if find_spec("arena.cli") is None:
        raise NoAnswer(f"to start {command} as in a match, arena is needed: pip install --find-links dist botarena")
    if isinstance(question, RecordedQuestion):
        with tempfile.TemporaryDirectory(prefix="arena-ask-") as folder:
            file = Path(folder, "question.json")
            file.write_text(question.to_text(), encoding="utf-8")
            return _ask_process(command, file)
    words = [sys.executable, "-m", "arena", "ask", "--json", "--", command, str(question)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise BadQuestion(done.stderr.strip().rpartition("Error: ")[2])
    if done.returncode not in (0, 1):
        raise NoAnswer(f"`{shlex.join(words[1:])}` failed: {done.stderr.strip()}")
    [result] = json.loads(done.stdout)["answers"]
    if result["failure"] or not result["answer"]["move"]:
        printed = f"\nit printed:\n{result['output']}" if result["output"] else ""
        raise NoAnswer(f"{result['bot']} failed: {result['failure'] or result['answer']['error']}{printed}")
    before = tuple(map(_answer, result["before"]))
    last = _answer(result["answer"])
    return Answer(last.move, last.seconds, last.note, last.said, last.recorded, before)


def _answer(values: dict[str, Any]) -> Answer:
    return Answer(values["move"], values["seconds"], values["note"], values["said"], values["recorded"])
