"""Where the time of a bot goes: it is asked the questions of a match again, alone, and its process is measured.

A bot in Python is asked twice: first as it is, for the times of its answers, and then with Python's profiler, which
makes it slower, for those of its functions.
"""

import marshal
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal
from zlib import decompressobj
from zlib import error as ZlibError

import msgspec
import trio

from arena.bots.probe import ProcessProbe, probing
from arena.bots.repeated_question import RepeatedAnswer, ask_all, encoded_views, program_of
from arena.bots.report import StepFailed
from arena.run.exception_groups import unwrap_group
from arena.sdk.profiling import MARK
from arena.sdk.recorded_question import RecordedQuestion
from arena.values.definition import Entrant
from arena.values.struct_types import ready
from referee.process.awake_clock import run_awake
from referee.process.bot_process import OUTPUT_BYTES
from referee.process.cpu_accounting import CpuUse

PROFILE = {"ARENA_PROFILE": "1"}
"""The environment variable that has the SDK count the time of functions."""

MOST_BYTES = 8 * 1024 * 1024
"""The most that the times of functions may be when they are unpacked."""

SDK_FOLDERS = ("arena/sdk", "google/protobuf", "referee/v1", "grpc")
"""The folders of files that are the SDK's and protobuf's."""


@dataclass(frozen=True, slots=True)
class ProfiledQuestion:
    """A question with the time that the bot took for its answer."""

    number: int
    """The number among the questions of the seat, from 1."""
    legal: tuple[str, ...]
    """The legal moves."""
    move: str
    """What it played; empty where that was illegal."""
    view: Mapping[str, object]
    """What the seat saw."""
    wall: float
    """From the question to the answer, in seconds."""
    cpu: float
    """How long the processes of the bot ran meanwhile, in seconds."""
    charged: float
    """What a referee charges, in seconds: not the time in which they waited for a core."""


class ProfiledFunction(msgspec.Struct, frozen=True, array_like=True):
    """A function with its times, as the SDK sends it."""

    file: str
    line: int
    name: str
    primitive: int
    """Calls that are not recursive."""
    calls: int
    own: float
    """The seconds in the function itself."""
    total: float
    """The seconds in it and in all that it called."""
    callers: tuple[tuple[int, int, int, float, float], ...] = ()
    """The place of each caller in the list of functions, with its part of the four numbers."""

    @property
    def place(self) -> tuple[str, int, str]:
        """File, line and name, as in `pstats`."""
        return self.file, self.line, self.name


@dataclass(frozen=True, slots=True)
class BotProfile:
    """Where the time of a bot went over the questions of one seat of a match."""

    start: float
    """The time from its start to its hello, in seconds."""
    questions: tuple[ProfiledQuestion, ...]
    """The questions that it answered."""
    asked: int
    """The number of questions of the seat."""
    failure: str
    """How it failed, in words; empty if it answered all questions."""
    output: str
    """What it printed."""
    functions: tuple[ProfiledFunction, ...] = ()
    """The times of its functions; empty where they are not known."""
    no_functions: str = ""
    """Why they are not known, in words."""


def profile_bot(recorded: RecordedQuestion, bot: Entrant, sandbox: str = "auto") -> BotProfile:
    """Ask a bot all questions of a seat, and measure it.

    recorded: the last question of the seat.
    sandbox: how the bot is confined.

    Raises QuestionError if the questions do not fit the installed rules, HostingError if the sandbox is unavailable.
    """
    try:
        return run_awake(partial(_profile, recorded, bot, sandbox))
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


async def _profile(recorded: RecordedQuestion, bot: Entrant, sandbox: str) -> BotProfile:
    views = encoded_views(recorded)
    profile, _ = await _ask(recorded, views, bot, sandbox, {})
    if profile.failure:
        return profile
    if not is_python(bot):
        return replace(profile, no_functions="it is no bot in Python")
    again, printed = await _ask(recorded, views, bot, sandbox, PROFILE)
    if again.failure:
        return replace(profile, no_functions=f"with Python's profiler it failed: {again.failure}")
    functions = unpack_functions(printed)
    return replace(profile, functions=functions, no_functions="" if functions else "it does not play by arena.sdk")


async def _ask(
    recorded: RecordedQuestion, views: list[bytes], bot: Entrant, sandbox: str, variables: Mapping[str, str]
) -> tuple[BotProfile, bytes]:
    """Return the times of the answers of a new process, and the end of what it printed."""
    failure = ""
    async with probing(program_of(bot, sandbox, variables), recorded.game, bot.matches_at_once) as probe:
        began = probe.script.welcomed_at or trio.current_time()
        answers = _Answers(probe, recorded)
        try:
            if not probe.session.is_welcomed:
                await probe.gone.wait()
                raise StepFailed(probe.script.failure)
            await ask_all(probe.script, recorded, views, answers.take)
        except StepFailed as stopped:
            failure = str(stopped)
        await probe.end()
        output = probe.script.output
    profile = BotProfile(
        start=began - probe.began,
        questions=tuple(answers.questions),
        asked=len(recorded.asked),
        failure=failure,
        output=output.text(),
    )
    return profile, output.raw_tail(OUTPUT_BYTES)


class _Answers:
    """Measures the process of a bot with each answer."""

    def __init__(self, probe: ProcessProbe, recorded: RecordedQuestion) -> None:
        self.questions: list[ProfiledQuestion] = []
        self._probe = probe
        self._asked = recorded.asked
        self._before = probe.cpu_use()

    def take(self, answer: RepeatedAnswer) -> None:
        use = self._probe.cpu_use()
        spent = CpuUse(*(max(value, 0.0) for value in use.since(self._before)))
        self._before = use
        question = ProfiledQuestion(
            number=answer.number,
            legal=answer.legal,
            move=answer.move,
            view=self._asked[answer.number - 1].view,
            wall=answer.seconds,
            cpu=spent.ran,
            charged=max(answer.seconds - spent.waited, 0.0),
        )
        self.questions.append(question)


def is_python(bot: Entrant) -> bool:
    """Tell whether a bot is started by Python."""
    return bool(bot.command) and Path(bot.command[0]).name.startswith("python")


def unpack_functions(printed: bytes) -> tuple[ProfiledFunction, ...]:
    """Return the times of functions that the SDK printed last; none where there are none.

    printed: what may be anything, as the bot may print, too.
    """
    line = printed.rstrip().rpartition(b"\n")[2]
    if not line.startswith(MARK.encode()):
        return ()
    try:
        unpacked = decompressobj().decompress(b64decode(line[len(MARK) :], validate=True), MOST_BYTES)
        functions = msgspec.json.decode(unpacked, type=ready(tuple[ProfiledFunction, ...]))
    except (ValueError, ZlibError, msgspec.MsgspecError):
        return ()
    places = range(len(functions))
    return () if any(one not in places for each in functions for one, *_ in each.callers) else functions


def origin(function: ProfiledFunction, folder: str) -> Literal["bot", "sdk", "others"]:
    """Return whose a function is: the bot's own, one of the SDK, of protobuf or of gRPC, or any other.

    folder: that of the bot.
    """
    if any(f"/{part}/" in function.file for part in SDK_FOLDERS):
        return "sdk"
    path = Path(function.file)
    is_own = path.is_relative_to(folder) and "site-packages" not in path.relative_to(folder).parts
    return "bot" if is_own else "others"


def pstats_content(functions: Sequence[ProfiledFunction]) -> bytes:
    """Return the content of a file as `python -m cProfile -o` writes it."""
    stats = {
        each.place: (
            each.primitive,
            each.calls,
            each.own,
            each.total,
            {functions[one].place: tuple(times) for one, *times in each.callers},
        )
        for each in functions
    }
    return marshal.dumps(stats)
