"""What chance draws: shuffles, picks and rolls, as a function of a match seed and a place.

The function, version 1 (independent of Python's `random`; vectors in tests/engine/test_chance.py):

    block(i) = HMAC-SHA256(key=seed, message=place + "/" + i)     i = 0, 1, 2 ... in decimal
    words    = the blocks one after the other, as big-endian 32-bit unsigned integers
    below(n) = the next word w with w < 2**32 - 2**32 % n, modulo n  (others are skipped)
    shuffle  = Fisher-Yates from the last index i down to 1, swapping with below(i + 1)
    place    = the parts of the place in decimal or as they are, joined by "/"

`native.pyx` does the same in C, on hashlib's OpenSSL. That computes such an HMAC in 0.15 µs, and hashlib's objects take
another 0.5 µs: games that shuffle or roll for every other decision spent half of their time on them. Where the library
lacks the functions, or does not hash as hashlib does (which is tried once), all is drawn here.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from itertools import islice
from struct import unpack
from typing import TYPE_CHECKING, Any, TypeVar

from referee.extensions import is_enabled

VERSION = 1

T = TypeVar("T")

if TYPE_CHECKING:
    from hashlib import _Hash as HASH

_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def words(seed: bytes, place: str) -> Iterator[int]:
    """Yield the endless 32-bit words of one place."""
    block = 0
    while True:
        yield from _words_of_blocks(seed, [f"{place}/{block}".encode()])
        block += 1


@lru_cache(maxsize=1024)
def _keyed(seed: bytes) -> tuple["HASH", "HASH"]:
    """Return the inner and the outer hash of HMAC-SHA256 after the key, to be copied (RFC 2104)."""
    key = (sha256(seed).digest() if len(seed) > 64 else seed).ljust(64, b"\0")
    return sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))


def _words_of_blocks(seed: bytes, messages: Sequence[bytes]) -> list[int]:
    """Return the words of the blocks with these messages."""
    # hmac.digest would do the same in one line and take two and a half times as long.
    keyed_inner, keyed_outer = _keyed(seed)
    drawn: list[int] = []
    for message in messages:
        inner, outer = keyed_inner.copy(), keyed_outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        drawn += unpack(">8I", outer.digest())
    return drawn


@lru_cache(maxsize=4096, typed=True)
def _messages(blocks: int, *place: int | str) -> list[bytes]:
    """Return the messages of the first blocks of a place. Kept, as the matches of a game have most places in common."""
    start = _joined(place)
    return [f"{start}/{block}".encode() for block in range(blocks)]


def _joined(place: Sequence[int | str]) -> str:
    return "/".join(map(str, place))


def below(n: int, source: Iterator[int]) -> int:
    """Return a uniform integer in 0..n-1 from `source` (rejection sampling, so without bias)."""
    limit = 0x100000000 - 0x100000000 % n
    for word in source:
        if word < limit:
            return word % n
    raise AssertionError("words never end")


class Draws:
    """Draws from a seed. place: names what is drawn; the same place draws the same again."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def shuffle(self, cards: Sequence[T], place: tuple[int | str, ...]) -> tuple[T, ...]:
        """Return `cards` in random order."""
        pack = list(cards)
        last = len(pack)
        safe = 0x100000000 - last
        for word in _words_of_blocks(self._seed, _messages((last + 6) // 8, *place))[: last - 1]:
            if word >= safe:
                # It may have to be skipped, once in some million shuffles.
                return _shuffled_with_skips(cards, words(self._seed, _joined(place)))
            j = word % last
            last -= 1
            pack[last], pack[j] = pack[j], pack[last]
        return tuple(pack)

    def words(self, place: tuple[int | str, ...], count: int) -> list[int]:
        """Return the first words of a place."""
        return list(islice(words(self._seed, _joined(place)), count))

    def pick(self, n: int, place: tuple[int | str, ...]) -> int:
        """Return one of the numbers 0..n-1."""
        word = _words_of_blocks(self._seed, _messages(1, *place))[0]
        if word < 0x100000000 - 0x100000000 % n:
            return word % n
        return below(n, words(self._seed, _joined(place)))

    def roll(self, faces: Sequence[T], count: int, place: tuple[int | str, ...]) -> tuple[T, ...]:
        """Return `count` dice, each showing one of `faces`."""
        n = len(faces)
        limit = 0x100000000 - 0x100000000 % n
        drawn = _words_of_blocks(self._seed, _messages((count + 7) // 8, *place))
        rolled = [faces[word % n] for word in drawn[:count] if word < limit]
        if len(rolled) < count:  # A word was skipped: once in some hundred million rolls.
            source = words(self._seed, _joined(place))
            rolled = [faces[below(n, source)] for _ in range(count)]
        return tuple(rolled)


def _shuffled_with_skips(cards: Sequence[T], source: Iterator[int]) -> tuple[T, ...]:
    """Shuffle with words that may have to be skipped."""
    pack = list(cards)
    for i in range(len(pack) - 1, 0, -1):
        j = below(i + 1, source)
        pack[i], pack[j] = pack[j], pack[i]
    return tuple(pack)


def find_draws() -> Any:
    """Return the class that draws: Draws in C, where it was built and OpenSSL is found, or the one above.

    The environment variable ARENA_CODEC=pure chooses the latter, to compare the two.
    """
    if is_enabled("referee.engine.native"):
        native = import_module("referee.engine.native")
        if native.is_usable():
            return native.Draws
    return Draws
