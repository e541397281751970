"""Who plays in playouts, by name: nobody, who chooses at random, what was learnt, a base policy, or a sample bot."""

from random import Random
from typing import Final

from arena.model_server.failure import POLICY, Failure
from arena.sdk.match import Match
from arena.search import base_policies
from arena.search.policies import LEARNT, RANDOM, Policies
from referee.engine.game import Game
from sample_bots.seated import SeatedBot, policies

BASE: Final = "base"
"""The base policy of a game, as an installed package registers it; `LEARNT` where none does."""


def make_policies(name: str, game: Game, match: Match, rng: Random) -> Policies:
    """Return who chooses in playouts, as a search takes it.

    name: `RANDOM`, `LEARNT`, `BASE`, or a sample bot that plays the game and answers at once.

    Raises Failure where there is no such policy, and PolicyError where the base policy cannot be had.
    """
    if name == RANDOM:
        return RANDOM
    if name == LEARNT:
        return LEARNT
    if name == BASE:
        return base_policies(match)
    names = policies(game.name)
    if name not in names:
        raise Failure(POLICY, f"no policy {name!a:.80} plays {game.name}: choose one of {', '.join(names)}")
    try:
        return [
            SeatedBot(name, game, match.options, match.seats, seat, rng.randbytes(32)) for seat in range(match.seats)
        ]
    except (ImportError, OSError) as error:  # a bot does not see the files of the bots that it plays against
        raise Failure(POLICY, f"the policy {name} cannot be loaded here: {error}; choose another one") from None
