"""Experience: what playouts have shown of moves, so that later ones are played better.

Random playouts say little where most of what is legal is absurd: who is sure that the next seat bids anything at all
dares any bid. So of each move it is kept what it added to the value of its seat: by itself, after the same move before
it, and to a seat that saw the same of what only it can see (its card, its dice) with the same legal moves. The first
two are the N-gram average sampling of Tak, Winands and Björnsson (2012), as Powley, Cowling and Whitehouse (2014) use
it in games with hidden cards. The third lets a seat with a good card play unlike one with a bad one. It pays where few
things can be seen, as one card; where nearly every hand is new it says nothing, and is not asked.
"""

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Any

from arena.positions import World
from arena.search.horizon import Horizon

FAMILIARITY = 4.0
"""How many playouts with the same move before weigh as much as all that is known of the move itself."""

PRIOR = 1.0
"""As many playouts of each move are taken for average."""

MOST_PAIRS = 2000
"""Of how many moves it is known what followed them."""

MOST_NODES = 20_000
"""Of how many sights it is known what was done there."""

MOST_WEIGHT = 400.0
"""As many playouts of a move count at most: what the first ones have shown is forgotten, as play gets better."""

TRIAL = 200
"""After so many sights in a search it is clear whether they come again."""

FAMILIAR = 0.3
"""The share of the sights that were had before from which on they are asked."""

MOST_RESTS = 64
"""In so many searches at most nobody asks again whether they do."""

LOOKED_AT = 60
"""In so many decisions it is found which fields of a view only its seat can see."""

Sums = list[float]
"""Of a move: how often it was played, and the sum of what it added to the value of its seat."""

Node = dict[str, Sums]
"""The sums of moves where a seat sees the same; those of all of them together under the empty text."""

ALL = ""

Choice = tuple[int, str, str, Node | None]
"""A seat, the move before, its move, and what is known of the moves where it sees what it saw."""


class Experience:
    """What playouts have shown. Keep it for the questions of one match, or it begins anew with each search.

    sees: whether it distinguishes what seats see.
    """

    __slots__ = (
        "sees",
        "_singles",
        "_pairs",
        "_seats",
        "_nodes",
        "_fields",
        "_sights",
        "_familiar",
        "_rests",
        "_resting",
        "_horizon",
        "_searches",
    )

    def __init__(self) -> None:
        self.sees = False
        self._horizon: Horizon | None = None
        self._searches = 0
        """In how many more searches the horizon holds."""
        self._singles: dict[str, Sums] = {}
        self._pairs: dict[str, dict[str, Sums]] = {}
        self._seats: list[Sums] = []
        """Of each seat: the number of playouts of this search, and the sum of its values."""
        self._nodes: dict[Any, Node] = {}
        self._fields: tuple[int, ...] | None = None
        self._sights = 0
        self._familiar = 0
        self._rests = 1
        self._resting = 0

    def begin(self, world: World, rng: Random) -> None:
        """Begin a search, whose first world is there."""
        if self._fields is None:
            self._fields = private_fields(world, rng)
        self._seats = []  # what a seat can expect changes from question to question
        self._sights = self._familiar = 0
        if self._resting:
            self._resting -= 1
            self.sees = False
            return
        self.sees = bool(self._fields)
        if len(self._nodes) > MOST_NODES:
            self._nodes.clear()

    def horizon(self, measure: Callable[[], Horizon], seats: int) -> Horizon:
        """Return the horizon: as it was measured, until half of the decisions that were left then have been made.

        seats: their number; each is taken to decide as often as the one that searches.
        """
        self._searches -= 1
        if self._horizon is None or self._searches < 0:
            self._horizon = measure()
            self._searches = int(self._horizon.left / 2 / seats)
        return self._horizon

    def node(self, view: Any, legal: Sequence[str]) -> Node | None:
        """Return what is known of the moves of a seat that sees a view; None where that tells nothing."""
        key = self._key(view, legal)
        try:
            node = self._nodes.get(key)
        except TypeError:  # a game of another package with lists in its views
            self.sees = False
            self._fields = ()
            return None
        self._sights += 1
        if node is None:
            node = self._nodes[key] = {}
        else:
            self._familiar += 1
        if self._sights == TRIAL:
            self._tried()
        return node

    def _tried(self) -> None:
        """Stop asking what seats see where it is nearly always new, for longer each time."""
        if self._familiar >= FAMILIAR * TRIAL:
            self._rests = 1
            return
        self.sees = False
        self._nodes.clear()
        self._resting = self._rests
        self._rests = min(MOST_RESTS, 2 * self._rests)

    def best(self, legal: Sequence[str], before: str, node: Node | None) -> str:
        """Return the move that has done best; of those that are level the first."""
        single_of, pair_of = self._singles.get, self._pairs.get(before, _NONE).get
        mean = 0.0
        if node:
            count, total = node[ALL]
            mean = total / (count + PRIOR)
        best, highest = legal[0], -inf
        for move in legal:
            single = single_of(move)
            score = single[1] / (single[0] + PRIOR) if single is not None else 0.0
            pair = pair_of(move)
            if pair is not None:
                score = (pair[1] + FAMILIARITY * score) / (pair[0] + FAMILIARITY)
            if node is not None and (seen := node.get(move)) is not None:
                score = (seen[1] - mean * seen[0] + FAMILIARITY * score) / (seen[0] + FAMILIARITY)
            if score > highest:
                best, highest = move, score
        return best

    def learn(self, played: Sequence[Choice], values: Sequence[float]) -> None:
        """Learn from a playout.

        played: its choices.
        values: what it was worth to each seat.
        """
        if not self._seats:
            self._seats = [[0.0, 0.0] for _ in values]
        added = []
        for value, sums in zip(values, self._seats, strict=True):
            sums[0] += 1
            sums[1] += value
            added.append(value - sums[1] / sums[0])
        singles, pairs = self._singles, self._pairs
        for seat, before, move, node in played:
            worth = added[seat]
            _add_to(singles, move, worth)
            follows = pairs.get(before)
            if follows is None:
                if len(pairs) >= MOST_PAIRS:
                    pairs.clear()
                pairs[before] = {move: [1.0, worth]}
            else:
                _add_to(follows, move, worth)
            if node is not None:
                _add_to(node, move, worth)
                _add_to(node, ALL, worth)

    def _key(self, view: Any, legal: Sequence[str]) -> Any:
        assert self._fields is not None
        return (tuple(legal), *[view[field] for field in self._fields])


def _add_to(known: Node, move: str, value: float) -> None:
    sums = known.get(move)
    if sums is None:
        known[move] = [1.0, value]
        return
    if sums[0] >= MOST_WEIGHT:
        sums[0] *= 0.5
        sums[1] *= 0.5
    sums[0] += 1
    sums[1] += value


def private_fields(world: World, rng: Random) -> tuple[int, ...]:
    """Return the numbers of the fields of a view that differ from seat to seat, as a playout shows.

    A field that is the same in all views of a seat, as its number is, tells nothing.
    """
    world = world.copy()
    first = world.state.view(0)
    if not hasattr(first, "_fields"):
        return ()
    differs = [False] * len(first)
    changes = [[False] * len(first) for _ in range(world.seats)]
    firsts = [world.state.view(seat) for seat in range(world.seats)]
    for _ in range(LOOKED_AT):
        if world.is_over:
            break
        views = [world.state.view(seat) for seat in range(world.seats)]
        for field, value in enumerate(views[0]):
            for seat, view in enumerate(views):
                differs[field] |= view[field] != value
                changes[seat][field] |= view[field] != firsts[seat][field]
        world.playout(rng, most=1)
    return tuple(
        [field for field in range(len(first)) if differs[field] and any(changed[field] for changed in changes)]
    )


_NONE: dict[str, Sums] = {}
