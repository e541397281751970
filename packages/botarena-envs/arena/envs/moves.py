"""Number the moves of a game: actions, and the masks of those that are legal."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from arena.envs.errors import EnvError
from referee.engine.game import Game


class Offer(NamedTuple):
    """The legal moves of a question."""

    mask: bytes
    """A byte for each action, 1 where it is legal and 0 elsewhere."""
    moves: Mapping[int, str]
    """The legal moves, by action."""


class ActionTable:
    """The actions of a game, its options and a number of seats.

    After the actions of listed moves come those for moves that are too many to be listed: the first of them stands for
    the first such move among the legal ones, and so on.

    listed: the moves of `Game.actions`, by action.
    action: the actions of these moves.
    size: the number of actions.

    Raises EnvError for a game that lists no actions.
    """

    def __init__(self, game: Game, options: Any, seats: int) -> None:
        self.listed = tuple(game.actions(options, seats))
        self.size = len(self.listed) + game.unlisted(options, seats)
        if not self.size:
            raise EnvError(f"{game.name} lists no actions: its class must define `actions` (see docs/games.md)")
        self.action = {move: action for action, move in enumerate(self.listed)}
        self.long_masks: dict[int, Any] = {}
        """The actions of many legal moves, as `native` keeps them."""
        self.offer = lru_cache(maxsize=1 << 13)(self._offer)

    def _offer(self, legal: tuple[str, ...]) -> Offer:
        """Return what is offered by some legal moves."""
        moves: dict[int, str] = {}
        following = len(self.listed)
        for move in legal:
            action = self.action.get(move)
            if action is None:
                action = following
                following += 1
            moves[action] = move
        mask = bytearray(self.size)
        for action in moves:
            mask[action] = 1  # an IndexError here means that the game has more moves than it says
        return Offer(bytes(mask), moves)
