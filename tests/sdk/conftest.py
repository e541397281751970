"""A stand-in for the referee, for real bot processes; and a table where bots of this process play."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import pytest

from arena.sdk import Bot, Match, Question
from referee.codec import ViewEncoder
from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.v1.play_pb2 import MatchStart, PlayRequest, PlayResponse, Turns
from referee.v1.play_pb2 import Question as WireQuestion
from referee.wire import view_type
from sample_bots import SAMPLES

Talk = Callable[[Iterator[PlayRequest]], Iterator[PlayResponse]]
"""One side of a conversation: takes what the bot says, yields what the referee says."""


@dataclass(frozen=True)
class Ended:
    """How a bot process ended."""

    code: int
    out: str
    err: str


class Standin:
    """Listens like a referee and says what a test tells it to."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.talk: Talk | None = None
        self.failures: list[BaseException] = []
        self._server = grpc.server(ThreadPoolExecutor(2), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((_Handler(self._play),))
        port = self._server.add_insecure_port(address)
        if not address.startswith("unix:"):
            self.address = address.rpartition(":")[0] + f":{port}"
        self._server.start()

    def _play(self, requests: Iterator[PlayRequest], context: grpc.ServicerContext) -> Iterator[PlayResponse]:
        assert self.talk
        try:
            yield from self.talk(requests)
        except BaseException as failure:
            if not isinstance(failure, GeneratorExit):
                self.failures.append(failure)
            raise

    def run(self, bot: Path | Sequence[str], talk: Talk, environment: Mapping[str, str] | None = None) -> Ended:
        """Start `bot`, talk to it, and return how it ended; what failed in `talk` fails here.

        bot: a file in Python, or a command.
        """
        self.talk = talk
        ended = run(bot, {"ARENA_ADDRESS": self.address, "ARENA_TOKEN": "sesame", **(environment or {})})
        if self.failures:
            raise self.failures[0]
        return ended

    def stop(self) -> None:
        self._server.stop(None).wait()


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, play: Callable[..., Iterator[PlayResponse]]) -> None:
        self._method = grpc.stream_stream_rpc_method_handler(
            play, request_deserializer=PlayRequest.FromString, response_serializer=PlayResponse.SerializeToString
        )

    def service(self, handler_call_details: Any) -> Any:
        return self._method if handler_call_details.method == "/referee.v1.BotService/Play" else None


def run(bot: Path | Sequence[str], environment: Mapping[str, str]) -> Ended:
    """Run a bot, a file in Python or a command, to its end."""
    command = [sys.executable, str(bot)] if isinstance(bot, Path) else bot
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("ARENA_CODEC", "ARENA_GRPC_STUB") or not name.startswith("ARENA_")
    }
    done = subprocess.run(command, env={**kept, **environment}, capture_output=True, text=True, timeout=60, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def call_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have all bots call the referee as the parameter says: directly, or by grpc's stub and the codec in Python."""
    kind: str = getattr(request, "param", "direct")
    monkeypatch.setenv("ARENA_GRPC_STUB", "1" if kind == "stub" else "")
    monkeypatch.setenv("ARENA_CODEC", "pure" if kind == "stub" else "")
    return kind


@pytest.fixture
def standin(tmp_path: Path) -> Iterator[Standin]:
    """A stand-in for the referee on a unix socket."""
    made = Standin(f"unix:{tmp_path}/s")
    yield made
    made.stop()


@pytest.fixture
def tcp_standin() -> Iterator[Standin]:
    """A stand-in for the referee on a port."""
    made = Standin("127.0.0.1:0")
    yield made
    made.stop()


@pytest.fixture
def write_bot(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a bot file: imports, `class Mine(Bot)` with the body given, and its last line."""

    def write(body: str, imports: str = "") -> Path:
        indented = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").splitlines())
        path = tmp_path / "mine.py"
        path.write_text(f"from arena.sdk import Bot\n{imports}\n\nclass Mine(Bot):\n{indented}\n\nMine().run()\n")
        return path

    return write


@pytest.fixture
def run_bot() -> Callable[[Path, Mapping[str, str]], Ended]:
    """Return the function that runs a bot file with nothing but what it is given to dial."""
    return run


def welcome() -> PlayResponse:
    """What a referee says first."""
    response = PlayResponse()
    response.welcome.protocol = 1
    response.welcome.matches_at_once = 8
    return response


class Deal:
    """Builds one message of turns."""

    def __init__(self) -> None:
        self.response = PlayResponse()
        self.turns: Turns = self.response.turns

    def start(self, match: int, **fields: Any) -> "Deal":
        """Add a match that begins."""
        defaults = {"game": "cambio", "seats": 4, "seat": 1, "view_type": "referee.v1.CambioView"}
        self.turns.starts.add(match=match, **{"bot_seed": match.to_bytes(32, "big"), **defaults, **fields})
        return self

    def ask(self, number: int, match: int, *legal: str, **fields: Any) -> "Deal":
        """Add a question."""
        self.turns.questions.add(id=number, match=match, legal=legal or ("keep", "exchange"), **fields)
        return self

    def end(self, match: int, scores: tuple[int, ...] = (), ranks: tuple[int, ...] = (), **fields: Any) -> "Deal":
        """Add a match that is over."""
        self.turns.ends.add(match=match, scores=scores, ranks=ranks, **fields)
        return self


@pytest.fixture
def deal() -> type[Deal]:
    """The builder of messages."""
    return Deal


@pytest.fixture
def greet() -> PlayResponse:
    """What a referee says first."""
    return welcome()


def load_bot(file: Path) -> Bot[Any]:
    """Return a bot of the one class that `file` defines."""
    spec = importlib.util.spec_from_file_location(f"bot_{file.stem}", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (kind,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == spec.name
    )
    made: Bot[Any] = kind()
    return made


def played(game: Game, options: Mapping[str, str], bots: Sequence[Bot[Any]], seed: bytes) -> Iterator[tuple[int, str]]:
    """Let bots of this process play a match; yield (seat, move) answer by answer, at the end (-1, the ranks)."""
    parsed = game.options.parse(options)
    seats = range(len(bots))
    state = game.start(parsed, len(bots), Chance(seed))
    encoders = [ViewEncoder(game) for _ in seats]
    matches = [
        Match(
            MatchStart(
                match=1,
                game=game.name,
                options=options,
                seats=len(bots),
                seat=seat,
                view_type=view_type(game),
                bot_seed=seed[seat:] + seed[:seat],
            )
        )
        for seat in seats
    ]
    for bot, match in zip(bots, matches, strict=True):
        bot.match_started(match)
    number = 0
    while state.asked:
        moves = []
        for seat in state.asked:
            number += 1
            legal = state.legal(seat)
            wire = WireQuestion(id=number, match=1, view=encoders[seat].encode(state.view(seat)), legal=legal)
            move = bots[seat].choose(Question(matches[seat], wire))
            assert move in legal
            yield seat, str(move)
            moves.append(str(move))
        state.apply(moves)
    yield -1, " ".join(map(str, state.outcome().ranks))


@pytest.fixture
def sample() -> Callable[[str], Bot[Any]]:
    """Return the function that makes a sample bot by its name."""
    return lambda name: load_bot(SAMPLES[name].path)


@pytest.fixture
def play() -> Callable[..., Iterator[tuple[int, str]]]:
    """Return the function that lets bots of this process play a match."""
    return played
