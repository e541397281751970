"""A UCI engine as a bot, as it is.

    python -m botarena_chess.uci --option Hash=16 /usr/games/stockfish

It plays chess; where it has the option UCI_Chess960 Chess960, and the variants that its option UCI_Variant names.

The engine thinks on the clock of the match: it is told the bank and the move time as its time and its increment. A
limit of its own (--nodes, --depth, --movetime) comes instead. The other side's clock is reckoned by the time that
passes between an answer and the next question, as no bot is told it. What the engine says its position is worth is said
with each move, and the rules adjudicate by that; depth, nodes and main line are noted, and PGN shows them. Before each
match it is told `ucinewgame` (with --restart it is started anew), and may take its time (`arena tourney --ready`), as
engines do that clear a large table or load a network: no clock runs. With --ponder it thinks on in the other side's
time, which needs `arena tourney --ponder` in mode clock.

An engine that hangs runs out of its time; one that ends, ends the bot, which is started again; an illegal move is
passed on and is a fault. What the engine prints besides UCI is ignored.
"""

import time
from collections.abc import Callable
from functools import partial

import click

from arena.sdk import Match, Question
from botarena_chess.bot import EngineBot, clocks_of, other_clock, run_bot, tell_where
from botarena_chess.clock import OtherClock
from botarena_chess.engine import Engine, Reply
from botarena_chess.family import game_name, rules_of_variant, variant_name
from botarena_chess.opening import Opening
from botarena_chess.v1.chess_pb2 import ChessView
from referee.engine.errors import UnknownGame


class UciBot(EngineBot):
    """One engine, which plays one match after the other.

    start: starts the engine.
    limit: what follows `go` for each move; "": by the clock.
    margin: milliseconds that the engine is not told it has.
    restart: whether it is started anew for each match.
    ponder: whether it thinks in the other side's time.
    now: returns the time, in seconds.
    """

    def __init__(
        self,
        start: Callable[[], Engine],
        limit: str,
        margin: int,
        *,
        restart: bool = False,
        ponder: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._start = start
        self._engine = start()
        self._is_fresh = True
        self._limit = limit
        self._margin = margin
        self._restart = restart
        self._ponder = ponder
        self._now = now
        self._pondered = ""
        self._clock = OtherClock()

    @property
    def played(self) -> tuple[str, ...]:
        """The games that the engine plays."""
        return tuple(map(game_name, self._engine.variants))

    @property
    def engine_name(self) -> str:
        """The name by which the engine calls itself."""
        return self._engine.name

    def match_started(self, match: Match) -> None:
        self._end_pondering()
        if self._restart and not self._is_fresh:
            self._engine.quit()
            self._engine = self._start()
        self._is_fresh = False
        self._engine.new_game(variant_name(match.game))
        self._clock = other_clock(match)

    def choose(self, question: Question[ChessView]) -> str:
        asked = self._now()
        self._clock.stop(asked)
        view = question.view
        position = self.position(view, tuple(view.moves))
        reply = self.translated(view, self._answer(position, self._limit or self._limits(question)))
        if reply.info.score:
            question.say(reply.info.score)
        if line := reply.info.line():
            question.note(line)
        answered = self._now()
        if self._ponder and _is_legal(view, reply.move, reply.ponder):
            self._begin_pondering(question, reply, answered - asked)
        self._clock.start(answered)
        return reply.move

    def position(self, view: ChessView, moves: tuple[str, ...]) -> str:
        """Return what follows `position` after the moves of a game."""
        return f"fen {view.start}{' moves ' if moves else ''}{' '.join(moves)}"

    def translated(self, view: ChessView, reply: Reply) -> Reply:
        """Return an answer of the engine in UCI's notation."""
        return reply

    def _answer(self, position: str, limit: str) -> Reply:
        if self._pondered == position:
            self._pondered = ""
            return self._engine.ponder_hit()
        self._end_pondering()
        return self._engine.search(position, limit)

    def _begin_pondering(self, question: Question[ChessView], reply: Reply, spent: float) -> None:
        self._pondered = self.position(question.view, (*question.view.moves, reply.move, reply.ponder))
        self._engine.begin_pondering(self._pondered, self._limit or self._limits(question, spent))

    def _end_pondering(self) -> None:
        if self._pondered:
            self._pondered = ""
            self._engine.stop_pondering()

    def _limits(self, question: Question[ChessView], spent: float = 0.0) -> str:
        """Return what follows `go`: the clocks now, or once `spent` seconds have been charged."""
        return self._engine.limit(clocks_of(question, self._clock, self._margin, spent), question.view.seat)


def _is_legal(view: ChessView, *moves: str) -> bool:
    """Return whether moves can be played one after the other from the position of a view, and the game goes on."""
    try:
        position = rules_of_variant(view.variant).begin(Opening("", view.fen, ()))
    except UnknownGame:  # without the rules of variants nothing can be told of one
        return False
    for move in moves:
        if not position.allows(move):
            return False
        position.push(move)
    return position.end(position.legal()) is None


def engine_command(engine_class: type[Engine], bot_class: type[UciBot], protocol: str) -> click.Command:
    """Return the command line of an adapter.

    engine_class, bot_class: of the protocol.
    protocol: its name.
    """

    @click.command(
        context_settings={"ignore_unknown_options": True},
        help=f"Play with the {protocol} engine ENGINE (its program and arguments); arena starts this.",
    )
    @click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable."
    )
    @click.option("--nodes", type=click.IntRange(min=1), help="Search so many nodes for each move.")
    @click.option("--depth", type=click.IntRange(min=1), help="Search so deep for each move.")
    @click.option("--movetime", type=click.IntRange(min=1), metavar="MS", help="Search so long for each move.")
    @click.option("--margin", type=click.IntRange(min=0), default=20, show_default=True, help="Milliseconds kept back.")
    @click.option("--restart", is_flag=True, help="Start the engine anew for each game.")
    @click.option("--ponder", is_flag=True, help="Let it think in the other side's time.")
    @click.argument("engine", nargs=-1, required=True, type=click.UNPROCESSED)
    def command(
        options: tuple[str, ...],
        nodes: int | None,
        depth: int | None,
        movetime: int | None,
        margin: int,
        restart: bool,
        ponder: bool,
        engine: tuple[str, ...],
    ) -> None:
        settings = dict(option.partition("=")[::2] for option in options)
        limits = {"nodes": nodes, "depth": depth, "movetime": movetime}
        limit = " ".join(f"{name} {value}" for name, value in limits.items() if value is not None)

        def make() -> tuple[EngineBot, str, tuple[str, ...]]:
            start = partial(engine_class, engine, settings, tell_where)
            bot = bot_class(start, limit, margin, restart=restart, ponder=ponder)
            return bot, bot.engine_name, bot.played

        run_bot(make)

    return command


main = engine_command(Engine, UciBot, "UCI")

if __name__ == "__main__":
    main()
