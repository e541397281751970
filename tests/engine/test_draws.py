"""Draws: in C as in Python, and both as specified."""

import hmac
import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from referee.engine import draws
from referee.engine.draws import below, find_draws, words
from referee.extensions import is_current

KINDS: list[Any] = [draws.Draws]
if is_current("referee.engine.native"):
    from referee.engine import native  # type: ignore[attr-defined]

    if native.is_usable():
        KINDS.append(native.Draws)

SEED = bytes(range(32))

PLACES: list[tuple[Any, ...]] = [
    ("deck", 1, 0),
    ("roll", 17, 3, 1),
    ("first",),
    (),
    ("",),
    ("", "a"),
    (0, 9, 10, 99, 100),
    (2**31, 2**32, 2**62 - 1, 2**62, 2**64, 2**70),
    (-1, -(2**63)),
    ("x", True, False),
    ("Straße", "日本", "\0", "/"),
    ("ü" * 300, 5),
    tuple(range(120)),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__module__.rpartition(".")[2])
def kind(request: pytest.FixtureRequest) -> Any:
    """Each class that draws."""
    return request.param


def by_the_words(seed: bytes, place: tuple[Any, ...], count: int) -> list[int]:
    """The first words of a place, computed from the prose of the specification."""
    text = "/".join(str(part) for part in place)
    blocks = [hmac.digest(seed, f"{text}/{block}".encode(), "sha256") for block in range(count // 8 + 1)]
    data = b"".join(blocks)
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, 4 * count, 4)]


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_words_of_all_kinds_of_places(kind: Any, place: tuple[Any, ...]) -> None:
    assert kind(SEED).words(place, 100) == by_the_words(SEED, place, 100)


def test_words_of_seeds_and_places_of_all_lengths(kind: Any) -> None:
    for length in range(140):
        seed = bytes(range(length))
        assert kind(seed).words(("deck", 1), 9) == by_the_words(seed, ("deck", 1), 9)
    for length in range(400):
        place = ("y" * length,)
        assert kind(SEED).words(place, 2) == by_the_words(SEED, place, 2)
        assert kind(SEED).words((*place, 10**18), 2) == by_the_words(SEED, (*place, 10**18), 2)
    assert kind(SEED).words(("deck",), 80_008)[-8:] == by_the_words(SEED, ("deck",), 80_008)[-8:], "block 10,000"


def test_all_kinds_draw_the_same(kind: Any) -> None:
    for number in range(300):
        rng = Random(number)
        seed, place = rng.randbytes(32), ("x", number)
        these, those = kind(seed), draws.Draws(seed)
        cards = list(range(rng.randrange(120)))
        assert these.shuffle(cards, place) == those.shuffle(cards, place)
        n = rng.choice((1, 2, 6, 39, 2**31 + 1, 2**32 - 1, 2**32))
        assert these.pick(n, place) == those.pick(n, place)
        faces, count = rng.choice((range(n), (1, 2, "skull"), "abcdef")), rng.randrange(30)
        assert these.roll(faces, count, place) == those.roll(faces, count, place)


def test_words_are_skipped_wherever_they_would_be_biased(kind: Any) -> None:
    drawn, many = kind(SEED), (1 << 31) + 1  # so many numbers that every second word is skipped
    for place in range(20):
        source = words(SEED, f"x/{place}")
        assert drawn.pick(many, ("x", place)) == below(many, source)
        source = words(SEED, f"x/{place}")
        assert drawn.roll(range(many), 9, ("x", place)) == tuple([below(many, source) for _ in range(9)])
    source = words(SEED, "long")  # one of these words is skipped
    pack = list(range(200_000))
    for last in range(len(pack) - 1, 0, -1):
        other = below(last + 1, source)
        pack[last], pack[other] = pack[other], pack[last]
    assert drawn.shuffle(range(200_000), ("long",)) == tuple(pack)


def test_the_first_word_that_would_be_biased_is_skipped() -> None:
    assert 2**32 % 6 == 4
    assert below(6, iter([2**32 - 5, 1])) == 5
    assert below(6, iter([2**32 - 4, 1])) == 1


def test_few_or_none(kind: Any) -> None:
    drawn = kind(SEED)
    assert [drawn.shuffle(range(n), ("few", n)) for n in range(3)] == [(), (0,), (0, 1)]
    assert drawn.roll(range(6), 0, ("none",)) == ()
    assert drawn.words(("none",), 0) == []
    assert drawn.pick(1, ("one",)) == 0


def test_nothing_can_be_drawn_from_nothing(kind: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        kind(SEED).pick(0, ("none",))
    with pytest.raises(ZeroDivisionError):
        kind(SEED).roll((), 1, ("none",))


def test_what_was_shuffled_is_not_changed_and_keeps_its_references(kind: Any) -> None:
    cards = [object() for _ in range(40)]
    kept, before = list(cards), [sys.getrefcount(card) for card in cards]
    shuffled = kind(SEED).shuffle(cards, ("deck",))
    assert cards == kept
    assert [sys.getrefcount(card) for card in cards] == [count + 1 for count in before]
    assert sorted(map(id, shuffled)) == sorted(map(id, cards))
    del shuffled
    assert [sys.getrefcount(card) for card in cards] == before


@pytest.mark.promise
def test_a_variable_of_the_environment_chooses_python() -> None:
    script = "from referee.engine.chance import Chance; print(Chance(b'')._draws.__class__.__module__)"
    for codec, modules in (("pure", {"referee.engine.draws"}), ("", {find_draws().__module__})):
        environment = os.environ | {"ARENA_CODEC": codec}
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == list(modules)


@pytest.mark.skipif(not is_current("referee.engine.native"), reason="the modules in Cython are not built")
def test_python_draws_where_openssl_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_CODEC", raising=False)
    monkeypatch.setattr(native, "is_usable", lambda: False)
    assert find_draws() is draws.Draws
