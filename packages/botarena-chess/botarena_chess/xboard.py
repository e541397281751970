"""An engine of the Chess Engine Communication Protocol (xboard, WinBoard) as a bot, as it is.

    python -m botarena_chess.xboard /usr/games/fairymax

It must speak version 2 of the protocol. It thinks on the clock of the match, by `level` or `st`, `time` and `otim`,
less `--margin`. What it says of its main line is said and noted with each move, as that of a UCI engine. It may resign,
which ends the game in place of its move, and offer a draw, which the rules agree on once both sides do.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial

import click

from arena.sdk import Match, Question
from botarena_chess.bot import EngineBot, clocks_of, other_clock, run_bot, tell_where
from botarena_chess.cecp import RESIGNS, Limit, XboardEngine
from botarena_chess.clock import OtherClock
from botarena_chess.family import game_name, rules_of_variant
from botarena_chess.scores import DRAW, RESIGN
from botarena_chess.v1.chess_pb2 import ChessView

RESULTS: Mapping[tuple[int, ...], str] = {(1, 2): "1-0", (2, 1): "0-1", (1, 1): "1/2-1/2"}


class XboardBot(EngineBot):
    """One engine, which plays one match after the other.

    start: starts the engine.
    limit: what ends each search besides the clock.
    margin: milliseconds that the engine is not told it has.
    restart: whether it is started anew for each match.
    now: returns the time, in seconds.
    """

    def __init__(
        self,
        start: Callable[[], XboardEngine],
        limit: Limit,
        margin: int,
        *,
        restart: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._start = start
        self._engine = start()
        self._limit = limit
        self._margin = margin
        self._restart = restart
        self._now = now
        self._clock = OtherClock()
        self._games = 0
        self._has_begun = False

    @property
    def engine(self) -> XboardEngine:
        """The engine that runs."""
        return self._engine

    def match_started(self, match: Match) -> None:
        if self._games and (self._restart or self._engine.restarts):
            self._engine.quit()
            self._engine = self._start()
        self._games += 1
        self._has_begun = False
        self._clock = other_clock(match)

    def choose(self, question: Question[ChessView]) -> str:
        self._clock.stop(self._now())
        view = question.view
        clocks = clocks_of(question, self._clock, self._margin)
        if not self._has_begun:
            self._has_begun = True
            self._engine.new_game(rules_of_variant(view.variant), view.start, clocks, self._limit)
        reply = self._engine.search(view.moves, clocks)
        if line := reply.info.line():
            question.note(line)
        self._clock.start(self._now())
        if reply.move == RESIGNS:
            question.say(RESIGN)
            return question.legal[0]
        if said := " ".join(filter(None, (reply.info.score, DRAW if self._engine.offers_draw else ""))):
            question.say(said)
        return reply.move

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        if self._has_begun:
            self._engine.end_game(RESULTS.get(tuple(ranks[:2]), "*"))


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--depth", type=click.IntRange(min=0), default=0, help="Search so deep for each move.")
@click.option("--movetime", type=click.IntRange(min=0), default=0, metavar="MS", help="Search so long for each move.")
@click.option("--margin", type=click.IntRange(min=0), default=20, show_default=True, help="Milliseconds kept back.")
@click.option("--restart", is_flag=True, help="Start the engine anew for each game.")
@click.argument("engine", nargs=-1, required=True, type=click.UNPROCESSED)
def main(
    options: tuple[str, ...], depth: int, movetime: int, margin: int, restart: bool, engine: tuple[str, ...]
) -> None:
    """Play with ENGINE, of xboard's protocol (its program and arguments); arena starts this."""
    settings = dict(option.partition("=")[::2] for option in options)

    def make() -> tuple[EngineBot, str, tuple[str, ...]]:
        start = partial(XboardEngine, engine, settings, tell_where)
        bot = XboardBot(start, Limit(depth, movetime), margin, restart=restart)
        return bot, bot.engine.name, tuple(map(game_name, bot.engine.variants))

    run_bot(make)


if __name__ == "__main__":
    main()
