"""Who plays in playouts, by name: nobody, who chooses at random, what was learnt, or a sample bot."""

from random import Random
from typing import Final

from arena.model_server.failure import POLICY, Failure
from arena.sdk.match import Match
from arena.search.policies import Policies
from referee.engine.game import Game
from sample_bots.seated import SeatedBot, policies

RANDOM: Final = "random"
"""The policy that chooses any legal move, all with the same probability; playouts do that by themselves."""

LEARNT: Final = "learnt"
"""The policy of an evaluation or a search that chooses what has done well in its playouts so far."""


def make_policies(name: str, game: Game, match: Match, rng: Random) -> Policies:
    """Return who chooses in playouts, as a search takes it.

    name: `RANDOM`, `LEARNT`, or a sample bot that plays the game and answers at once.

    Raises Failure where there is no such policy.
    """
    if name == RANDOM:
        return RANDOM
    if name == LEARNT:
        return LEARNT
    names = policies(game.name)
    if name not in names:
        raise Failure(POLICY, f"no policy {name!a:.80} plays {game.name}: choose one of {', '.join(names)}")
    try:
        return [
            SeatedBot(name, game, match.options, match.seats, seat, rng.randbytes(32)) for seat in range(match.seats)
        ]
    except (ImportError, OSError) as error:  # a bot does not see the files of the bots that it plays against
        raise Failure(POLICY, f"the policy {name} cannot be loaded here: {error}; choose another one") from None
