"""A small game, a table for it, and the bot's end of a wire, all in this process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import pytest
import trio

from referee.engine.chance import Chance
from referee.engine.events import Audience, Line
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options
from referee.match.faults import FaultKind
from referee.match.match import Clock, Match, MatchLimits
from referee.session.player import BotPlayer
from referee.v1 import work_pb2
from referee.v1.play_pb2 import PlayRequest, PlayResponse, Question


class HeapView(NamedTuple):
    seat: int
    chips: tuple[int, ...]


class Heap(State):
    """In turn each seat takes 1 or 2 of `size` matches; then all take together, sealed, once."""

    __slots__ = ("left", "taken", "turn", "sealed", "talk")

    def __init__(self, seats: int, size: int, talk: int) -> None:
        self.left = size
        self.talk = talk
        self.taken = [0] * seats
        self.turn = 0
        self.sealed = False
        self.events = []
        self.asked = (0,)

    def legal(self, seat: int) -> tuple[str, ...]:
        return ("one", "two") if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        for seat, move in zip(self.asked, moves, strict=True):
            self.taken[seat] += 1 + (move == "two")
            self.left -= 1 + (move == "two")
            self.events.append((0, seat, move))
            self.events.append((1, seat, self.taken[seat]))
        seats = len(self.taken)
        if self.sealed:
            self.asked = ()
        elif self.left <= 0:
            self.sealed = True
            self.asked = tuple(range(seats))
        else:
            self.turn = (self.turn + 1) % seats
            self.asked = (self.turn,)

    def talk_limit(self) -> int:
        return self.talk

    def say(self, seat: int, words: str) -> None:
        self.events.append((2, seat, words))

    def default(self, seat: int) -> str:
        return "one"

    def view(self, seat: int) -> HeapView:
        return HeapView(seat, tuple(self.taken))

    def copy(self) -> Self:
        raise NotImplementedError

    def outcome(self) -> Outcome:
        return Outcome(tuple(self.taken), ranks(self.taken))


class HeapGame(Game):
    name = "heap"
    title = "Heap"
    unit = "matches"
    behaviour = 1
    options: ClassVar[type[Options]] = Options
    seats = (2, 4)
    recommended = 2
    lines = (
        Line("seat {} takes {}", "a move"),
        Line("seat {} has {}", "what it has, its own secret", Audience.SEAT),
        Line("seat {} says: {}", "table talk"),
    )
    message = "referee.v1.cambio_pb2:CambioView"
    moves = "one, two"

    def __init__(self, size: int, talk: int, text_move: str) -> None:
        self.size = size
        self.talk = talk
        self.text_move = text_move  # type: ignore[misc]  # one class for games with and without

    def start(self, options: Any, seats: int, chance: Chance) -> Heap:
        return Heap(seats, self.size, self.talk)


@dataclass
class Bot:
    """A bot's end of a wire: what it was sent, and what it says when told to."""

    player: BotPlayer
    sent: list[PlayResponse] = field(default_factory=list)
    sent_at: float | None = None
    closed: bool = False
    fault: tuple[FaultKind, str] | None = None
    reads: bool = True
    queued: int = 0
    writes_begun: int = 0
    writes_done: int = 0
    deferred: list[tuple[bytes, float]] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        self.sent.append(PlayResponse.FromString(payload))
        if mark:
            self.sent_at = trio.current_time()
        self.queued += 1
        if self.writes_begun == self.writes_done:
            self.writes_begun += 1
        if self.reads:
            self.read()
        return self.queued

    def read(self) -> None:
        """Let everything that was sent leave, and what was deferred come again."""
        self.writes_begun = self.writes_done = self.queued
        deferred, self.deferred = self.deferred, []
        for payload, stamp in deferred:
            self.player.received(payload, stamp)

    def defer(self, payload: bytes, stamp: float) -> None:
        self.deferred.append((payload, stamp))

    @property
    def has_deferred(self) -> bool:
        return bool(self.deferred)

    def rest(self, seconds: float) -> None:
        self.rests.append(seconds)

    def close(self) -> None:
        self.closed = True

    def fail(self, kind: FaultKind, sentence: str) -> None:
        if self.fault is None:
            self.fault = (kind, sentence)
            self.player.disconnect()

    def connect(self) -> None:
        self.player.connect(self, self.fail)

    def questions(self) -> list[Question]:
        """Return the questions sent since the last call."""
        found = [question for response in self.sent for question in response.turns.questions]
        self.sent.clear()
        return found

    def say(self, request: PlayRequest) -> None:
        self.player.received(request.SerializeToString(), trio.current_time())

    def answer(self, *answers: tuple[int, str], say: str = "") -> None:
        request = PlayRequest()
        request.answers.SetInParent()
        for number, text in answers:
            request.answers.answers.add(question=number, text=text, say=say)
        self.say(request)


@dataclass
class Table:
    """Players of one phase and the records of their matches."""

    move_time: float = 1.0
    bank: float = 2.0
    fischer: bool = False
    strikes: int = 3
    max_failed_matches: int = 3
    thinking: float = 0.0
    dirty: list[Any] = field(default_factory=list)
    flood_timer: Any = None
    report: Any = None
    records: list[work_pb2.Record] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)

    def bot(self, **hello: Any) -> Bot:
        player = BotPlayer(
            move_time=self.move_time,
            max_failed_matches=self.max_failed_matches,
            matches_at_once=64,
            on_pending=self.dirty.append,
            flood_timer=self.flood_timer,
            report=self.report,
            thinking=self.thinking,
        )
        for name, value in hello.items():
            setattr(player, name, value)
        bot = Bot(player)
        bot.connect()
        return bot

    def again(self, bot: Bot) -> Bot:
        """Return the fresh process that takes over from one that failed."""
        fresh = Bot(bot.player)
        fresh.connect()
        self.flush()
        return fresh

    def match(
        self, bots: Sequence[Bot], size: int = 4, talk: int = 0, clocks: Sequence[Clock] = (), text_move: str = ""
    ) -> Match:
        """Begin a match of the heap game.

        talk: how many characters are heard with an answer.
        clocks: by seat, where bots have clocks of their own.
        text_move: the move for which any other text is taken.
        """
        players = [bot.player for bot in bots]

        def finished(match: Match) -> None:
            outcome = match.outcome()
            for player in players:
                player.finish(match, outcome)
            self.records.append(match.record(outcome))

        clock = MatchLimits(self.move_time, self.bank, self.strikes, fischer=self.fischer)
        game = HeapGame(size, talk, text_move)
        seeds = [bytes(32)] * len(bots)
        match = Match(
            len(self.matches),
            game,
            Options(),
            Chance(bytes(32)),
            players,
            seeds,
            clock,
            finished,
            clocks=clocks,
        )
        self.matches.append(match)
        for player in players:
            player.begin(match)
        match.advance()
        return match

    def flush(self) -> None:
        """Send what is queued."""
        players = self.dirty[:]
        self.dirty.clear()
        for player in players:
            player.flush()

    def asked_pair(self) -> tuple[Bot, Bot, Match]:
        """Return two bots and the match of theirs in which both are asked."""
        a, b = self.bot(), self.bot()
        match = self.match([a, b])
        self.flush()
        return a, b, match


@pytest.fixture
def new_table() -> Callable[..., Table]:
    return Table
