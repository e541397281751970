"""The bids of Perudo: which there are, in what order they stand on the track, and their texts.

Source: the Korean rule book of Perudo, "Action 1: bid" and the variant "showdown". Pure functions, kept
once they were worked out: a track has at most 180 bids.

Faces are 2 to 6 and 1, the skull.
"""

from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

SKULL: Final = 1
FACES: Final = ("skull", 2, 3, 4, 5, 6)
FACE_NUMBERS: Final = {"skull": SKULL, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}


class Bid(NamedTuple):
    """At least `quantity` of all dice show `face` (or a skull); with face 1, skulls alone."""

    quantity: int
    face: int


def height(bid: Bid) -> tuple[int, int]:
    """Return what orders the bids: the cell on the track, then the face.

    The cells run 1 2 [1] 3 4 [2] 5 6 [3]: the skull cell Q counts above the number 2Q. Decision: the board
    is not in the book.
    """
    cell = 4 * bid.quantity + 1 if bid.face == SKULL else 2 * bid.quantity
    return cell, bid.face


@cache
def track(dice: int) -> tuple[Bid, ...]:
    """Return every bid with that many dice in play, the lowest first. Decision: none is above their number."""
    return tuple(sorted((Bid(quantity, face) for quantity in range(1, dice + 1) for face in range(1, 7)), key=height))


@cache
def texts(dice: int) -> tuple[str, ...]:
    """Return the texts of the bids of `track`, in its order."""
    return tuple(f"bid {bid.quantity}x{'skull' if bid.face == SKULL else bid.face}" for bid in track(dice))


@cache
def raises(dice: int, standing: Bid | None) -> tuple[str, ...]:
    """Return the texts of the bids above the standing one, the lowest first; of all where none stands."""
    return texts(dice) if standing is None else texts(dice)[track(dice).index(standing) + 1 :]


@cache
def showdown_raises(dice: int, standing: Bid | None) -> tuple[str, ...]:
    """Return the same under a showdown: skulls are ones, and the face may not change."""
    faces = range(1, 7) if standing is None else (standing.face,)
    lowest = 1 if standing is None else standing.quantity + 1
    return tuple(f"bid {quantity}x{face}" for quantity in range(lowest, dice + 1) for face in faces)


@cache
def turn_moves(dice: int, standing: Bid | None, showdown: bool) -> tuple[str, ...]:
    """Return the bids that may be made, and what may be said to the standing one."""
    moves = showdown_raises(dice, standing) if showdown else raises(dice, standing)
    if standing is None:
        return moves  # [4] 3: the starter must bid.
    return (*moves, "no") if showdown else (*moves, "no", "exact")  # Variant 3: no exact


@cache
def bid_of(text: str) -> Bid:
    """Return the bid that "4x5", "2xskull" or "2x1" stands for."""
    quantity, _, face = text.partition("x")
    return Bid(int(quantity), SKULL if face == "skull" else int(face))


@lru_cache(maxsize=16384)
def cup_of(roll: tuple[int | str, ...]) -> tuple[tuple[int, ...], str]:
    """Return the dice of a roll, ascending, and their text."""
    dice = tuple(sorted([FACE_NUMBERS[face] for face in roll]))
    return dice, faces_text(dice)


@lru_cache(maxsize=4096)
def faces_text(dice: tuple[int, ...]) -> str:
    """Return dice as a text, ascending and skulls last: "3 3 5 skull"."""
    faces = sorted(dice, key=lambda face: (face == SKULL, face))
    return " ".join("skull" if face == SKULL else str(face) for face in faces)


def faces_of(text: str) -> list[int | str]:
    """Return the faces of the dice in a text of `faces_text`."""
    return [face if face == "skull" else int(face) for face in text.split()]


@lru_cache(maxsize=4096)
def rerolls(cup: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Return the ways to roll a part of a cup again: the move's text, and the dice it puts aside.

    One die and more are put aside, and (Decision) one and more are rolled. Fewer dice come first.
    """
    return {
        f"reroll keep {faces_text(kept)}": kept
        for count in range(1, len(cup))
        for kept in dict.fromkeys(combinations(cup, count))
    }


@lru_cache(maxsize=4096)
def reroll_moves(cup: tuple[int, ...]) -> tuple[str, ...]:
    """Return the moves of a seat that may roll a part of its cup again."""
    return ("stand", *rerolls(cup))


def keeps(most: int) -> tuple[str, ...]:
    """Return the moves that put aside up to `most` dice of a cup and roll the rest again, fewer dice first."""
    return tuple(
        f"reroll keep {faces_text(kept)}"
        for count in range(1, most + 1)
        for kept in combinations_with_replacement(range(1, 7), count)
    )


def most_rerolls(dice: int) -> int:
    """Return how many ways there are at most to roll a part of a cup of that many dice again."""
    whole, rest = divmod(dice, len(FACES))
    ways: int = (whole + 2) ** rest * (whole + 1) ** (len(FACES) - rest)
    return ways - 2  # all dice, and none
