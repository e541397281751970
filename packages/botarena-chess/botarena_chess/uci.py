"""A UCI engine as a bot, as it is.

    python -m botarena_chess.uci --option Hash=16 /usr/games/stockfish

The engine thinks on the clock of the match: it is told the bank and the move time as its time and its increment. A
limit of its own (--nodes, --depth, --movetime) comes instead. What it says of the position is said with each move: the
rules adjudicate by that, and PGN shows it. Before each match it is told `ucinewgame`, and may take its time (`arena
tourney --ready`), as engines do that clear a large table or load a network: no clock runs.

An engine that hangs runs out of its time; one that ends, ends the bot, which is started again; an illegal move is
passed on and is a fault. What the engine prints besides UCI is ignored.
"""

import sys

import click

from arena.sdk import Bot, Match, Question
from botarena_chess.engine import Engine, EngineFailed
from botarena_chess.v1.chess_pb2 import ChessView

DEFAULT_MOVE_MS = 100
"""The time for a move in a match without a clock."""


class UciBot(Bot[ChessView]):
    """One engine, which plays one match after the other.

    limit: what follows `go` for each move; "": by the clock.
    margin: milliseconds that the engine is not told it has.
    """

    games = ("chess",)
    matches_at_once = 1
    wants_ready = True

    def __init__(self, engine: Engine, limit: str, margin: int) -> None:
        self._engine = engine
        self._limit = limit
        self._margin = margin

    def match_started(self, match: Match) -> None:
        self._engine.new_game()

    def choose(self, question: Question[ChessView]) -> str:
        view = question.view
        moves = f" moves {' '.join(view.moves)}" if view.moves else ""
        reply = self._engine.search(f"fen {view.start}{moves}", self._limit or self._clock(question))
        if reply.score:
            question.say(reply.score)
        return reply.move

    def _clock(self, question: Question[ChessView]) -> str:
        move = question.match.move_time_ms
        if not move:
            return f"movetime {DEFAULT_MOVE_MS}"
        if not question.bank_ms:
            return f"movetime {max(1, move - self._margin)}"
        time = max(1, question.bank_ms + move - self._margin)
        # The other side's clock is not known to a bot: it is taken to be the same.
        return f"wtime {time} btime {time} winc {move} binc {move}"


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--nodes", type=click.IntRange(min=1), help="Search so many nodes for each move.")
@click.option("--depth", type=click.IntRange(min=1), help="Search so deep for each move.")
@click.option("--movetime", type=click.IntRange(min=1), metavar="MS", help="Search so long for each move.")
@click.option("--margin", type=click.IntRange(min=0), default=20, show_default=True, help="Milliseconds kept back.")
@click.argument("engine", nargs=-1, required=True, type=click.UNPROCESSED)
def main(
    options: tuple[str, ...],
    nodes: int | None,
    depth: int | None,
    movetime: int | None,
    margin: int,
    engine: tuple[str, ...],
) -> None:
    """Play with the UCI engine ENGINE (its program and arguments); arena starts this."""
    settings = dict(option.partition("=")[::2] for option in options)
    limits = {"nodes": nodes, "depth": depth, "movetime": movetime}
    limit = " ".join(f"{name} {value}" for name, value in limits.items() if value is not None)
    try:
        running = Engine(engine, settings)
        bot = UciBot(running, limit, margin)
        type(bot).name = running.name
        bot.run()
    except EngineFailed as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
