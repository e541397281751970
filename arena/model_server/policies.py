"""Who plays in playouts, by name: nobody, who chooses at random, or a sample bot."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from arena.model_server.failure import POLICY, Failure
from arena.search.policies import Policies
from referee.codec import ViewEncoder
from referee.engine.game import Game
from referee.v1.play_pb2 import MatchStart
from referee.wire import view_message
from sample_bots import SAMPLES
from sample_bots.seated import SeatedBot

RANDOM: Final = "random"
"""The policy that chooses any legal move, all with the same probability; playouts do that by themselves."""

LEARNT: Final = "learnt"
"""The policy of an evaluation that chooses what has done well in its playouts so far."""


def make_policies(name: str, game: Game, options: Mapping[str, str], seats: int, rng: Random) -> Policies:
    """Return who chooses in playouts, as a search takes it.

    name: `RANDOM`, empty for the same, or a sample bot that plays the game.
    options: as the protocol sends them.

    Raises Failure where there is no such policy.
    """
    if name in ("", RANDOM):
        return RANDOM
    if name == LEARNT:
        return LEARNT
    if name not in SAMPLES or not SAMPLES[name].plays(game.name):
        names = ", ".join(known for known, sample in SAMPLES.items() if sample.plays(game.name))
        raise Failure(POLICY, f"no policy {name!a:.80} plays {game.name}: choose one of {names}")
    try:
        return [_SamplePolicy(name, game, options, seats, seat, rng.randbytes(32)) for seat in range(seats)]
    except (ImportError, OSError) as error:  # a bot does not see the files of the bots that it plays against
        raise Failure(POLICY, f"the policy {name} cannot be loaded here: {error}; choose another one") from None


class _SamplePolicy:
    """A sample bot in one seat, of which it keeps the memory over all playouts."""

    def __init__(self, name: str, game: Game, options: Mapping[str, str], seats: int, seat: int, seed: bytes) -> None:
        self._encode, view_type = _encoder(game)
        start = MatchStart(
            match=seat + 1,
            game=game.name,
            behaviour=game.behaviour,
            options=options,
            seats=seats,
            seat=seat,
            view_type=view_type,
            bot_seed=seed,
        )
        self._bot = SeatedBot(name, start)
        self.__qualname__ = name

    def __call__(self, view: Any, legal: Sequence[str], rng: Random) -> str:
        """Return the move of the bot."""
        move = self._bot.choose(self._encode(view), legal)
        return legal[move] if isinstance(move, int) else move


@cache
def _encoder(game: Game) -> tuple[Any, str]:
    return ViewEncoder(game).encode, view_message(game).DESCRIPTOR.full_name
