"""Search, ready made: which move is best, by playing worlds on that the seat cannot tell from the real one.

    source       what a search needs of a position
    horizon      where playouts stop, and what the standings there are worth
    policies     who chooses in playouts; a policy that fails is named
    base         who plays a game well by rules of thumb, and the belief that the others do so
    experience   what playouts have shown of moves, for those that follow
    playouts     from a world to the horizon, by policies or by experience
    evaluation   what a search found: a value with its standard error for each move; its note
    worlds       as many worlds as the limits of a search allow
    flat         flat Monte Carlo: each legal move in the same worlds
    tree         information-set Monte Carlo tree search, with one tree for each seat
    thinking_time  how long to think, by move time and bank

There is not a line about any game in it.
"""

from arena.search.base import base_policies, belief_in
from arena.search.evaluation import Evaluation, MoveValue
from arena.search.experience import Experience
from arena.search.flat import evaluate
from arena.search.horizon import Horizon
from arena.search.policies import PolicyError
from arena.search.source import Position
from arena.search.thinking_time import Allowance, ThinkingTime
from arena.search.tree import Observers, search

__all__ = [
    "Allowance",
    "Evaluation",
    "Experience",
    "Horizon",
    "MoveValue",
    "Observers",
    "PolicyError",
    "Position",
    "ThinkingTime",
    "base_policies",
    "belief_in",
    "evaluate",
    "search",
]
