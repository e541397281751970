"""The decisions of Perudo: bids, by how likely they are to be right by the bidder's own dice, and what answers them."""

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any

from arena_insight.weaknesses.choice import Choice
from referee.games.bids import FACE_NUMBERS, SKULL
from referee.games.perudo import REROLL


def choice(view: Any, _legal: Sequence[str], move: str) -> Choice:
    """Classify a decision by the probability that the last bid is right, which its own dice and those aside give."""
    last = None if view.quantity is None else _band(_probability(view, view.quantity, view.face))
    if view.stage == REROLL:
        return Choice("after its bid", f"its bid is {last}", "reroll" if move.startswith("reroll") else move)
    position = "first bid of the round" if last is None else f"the last bid is {last}"
    return Choice("its turn", position, _action(view, move))


def _action(view: Any, move: str) -> str:
    word, _, bid = move.partition(" ")
    if word != "bid":
        return move
    quantity, _, face = bid.partition("x")
    number = FACE_NUMBERS["skull"] if face == "skull" else int(face)
    return f"a bid that is {_band(_probability(view, int(quantity), number))}"


def _probability(view: Any, quantity: int, face: int) -> float:
    """Return the probability that a bid is right, if the dice that the seat does not see are fair."""
    is_wild = view.showdown is None and face != SKULL
    known = (*view.dice, *view.aside)
    hits = sum(die == face or (is_wild and die == SKULL) for die in known)
    return _at_least(quantity - hits, max(sum(view.counts) - len(known), 0), 2 if is_wild else 1)


@cache
def _at_least(needed: int, dice: int, good_faces: int) -> float:
    """Return the probability that at least `needed` of `dice` dice show one of so many faces."""
    if needed <= 0:
        return 1.0
    p = good_faces / 6
    return sum(comb(dice, hits) * p**hits * (1 - p) ** (dice - hits) for hits in range(needed, dice + 1))


def _band(probability: float) -> str:
    """Return a probability in words."""
    for least, words in ((0.9, "safe (90 % or more)"), (0.6, "likely (60 to 90 %)"), (0.4, "even (40 to 60 %)")):
        if probability >= least:
            return words
    return "unlikely (10 to 40 %)" if probability >= 0.1 else "hopeless (under 10 %)"
