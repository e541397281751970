"""Deals that take turns: a game that begins from one of a list, as from an opening of a book, repeats none too early.

Seeds of different deals know nothing of each other, so what is drawn from them is drawn with replacement. A game that
takes turns (`Game.takes_turns`) has longer match seeds, of 56 bytes:

    32  the seed of the deal, as in every game (`referee.engine.chance.deal_seed`)
     8  the number of the deal in its tournament, big-endian
    16  the key of the order, the same in the whole tournament: the beginning of HMAC-SHA256(secret, "order")

The order of n things is a permutation of 0 to n - 1, new in each cycle of n deals, and is computed for one place
without the others, as books have millions: a Feistel network on the smallest even number of bits that n fits in, walked
along until it comes to a number below n. Source: J. Black, P. Rogaway, "Ciphers with Arbitrary Finite Domains", 2002.
"""

import hmac
from typing import Final

from referee.engine.chance import deal_seed

DEAL_BYTES: Final = 32
NUMBER_BYTES: Final = 8
KEY_BYTES: Final = 16

ROUNDS: Final = 8
"""Rounds of the network: small numbers of bits need more than large ones, and a match asks once."""


def match_seed(secret: bytes, deal: int, *, takes_turns: bool) -> bytes:
    """Return the seed of the matches of a deal, counted from 0.

    takes_turns: whether the game does.
    """
    return turn_seed(secret, deal) if takes_turns else deal_seed(secret, deal)


def turn_seed(secret: bytes, deal: int) -> bytes:
    """Return the match seed of deal `deal`, counted from 0, of a game that takes turns."""
    key = hmac.digest(secret, b"order", "sha256")[:KEY_BYTES]
    return deal_seed(secret, deal) + deal.to_bytes(NUMBER_BYTES, "big") + key


def turn_number(seed: bytes) -> int | None:
    """Return the number of the deal in its tournament, counted from 0; None for a seed that does not tell it."""
    if len(seed) != DEAL_BYTES + NUMBER_BYTES + KEY_BYTES:
        return None
    return int.from_bytes(seed[DEAL_BYTES : DEAL_BYTES + NUMBER_BYTES], "big")


def turn_place(seed: bytes, n: int) -> int | None:
    """Return which of `n` things a deal takes; n deals one after the other take each once, in random order.

    None for a seed that does not tell the number of the deal.
    """
    number = turn_number(seed)
    if number is None:
        return None
    cycle, place = divmod(number, n)
    key = seed[-KEY_BYTES:] + cycle.to_bytes(NUMBER_BYTES, "big")
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    while True:
        place = _permuted(place, half, key)
        if place < n:
            return place


def _permuted(value: int, half: int, key: bytes) -> int:
    """Return the image of a number of 2 * `half` bits."""
    mask = (1 << half) - 1
    left, right = value >> half, value & mask
    for turn in range(ROUNDS):
        word = hmac.digest(key, f"{half}/{turn}/{right}".encode(), "sha256")[:NUMBER_BYTES]
        left, right = right, left ^ (int.from_bytes(word, "big") & mask)
    return left << half | right
