"""What an observation of Harbour is made of: with it the game is an environment for training."""

from typing import Any

from arena.envs.features import Feature, by_seat, by_seat_unbounded, counted, left_out, share
from referee.engine.game import Game


def harbour(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Harbour."""
    return [
        by_seat("purses", seats, options.coins),
        by_seat_unbounded("cargo", seats, 30),
        share("crate", options.crates),
        counted("cards", range(1, 10), options.crates),
        left_out("auctions", "purses and cargo tell what came of them"),
    ]
