"""Chance: the specified function by its vectors, and scripts in its place."""

import hmac
from collections import Counter
from hashlib import sha256

import pytest

from referee.engine.chance import Chance, ScriptedChance, deal_seed, seed_from_number
from referee.engine.draws import below, words
from referee.engine.errors import ScriptError

SEED = bytes(range(32))
PACK = (1, 1, 2, 2, 3, 3)

# What version 1 of the function answers; a change of any of these would make every stored match unreadable.
SEVEN = "56945700d154b27d9184a1bfd82ecb3c12a2baa995ba7ddd3ce738db9d126705"
SEVEN_DEAL_0 = "3d455bc257628ac3d16117f4081af78f23dc613a71d815777f63984c333a8437"
SHUFFLED = (11, 2, 12, 14, 15, 4, 8, 5, 17, 10, 3, 16, 1, 19, 9, 0, 13, 6, 18, 7)
PICKED = 3
ROLLED = (5, 6, 2, 5, 4, 3, 1, 5, 3, 5)


def by_the_words(seed: bytes, place: str, count: int) -> list[int]:
    """The first words of a place, computed from the prose of the specification."""
    numbers: list[int] = []
    block = 0
    while len(numbers) < count:
        digest = hmac.new(seed, f"{place}/{block}".encode(), sha256).digest()
        numbers += [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
        block += 1
    return numbers[:count]


def test_words_are_big_endian_pieces_of_hmac_blocks() -> None:
    source = words(SEED, "shuffle/1/1")
    assert [next(source) for _ in range(20)] == by_the_words(SEED, "shuffle/1/1", 20)


def test_shuffle_is_fisher_yates_from_the_last_card() -> None:
    pack = list(range(10))
    source = iter(by_the_words(SEED, "shuffle/2", 40))
    for i in range(9, 0, -1):
        j = next(source) % (i + 1)  # no word of these is near 2**32, so none is skipped
        pack[i], pack[j] = pack[j], pack[i]
    assert Chance(SEED).shuffle(range(10), "shuffle", 2) == tuple(pack)


def test_vectors() -> None:
    chance = Chance(SEED)
    assert seed_from_number(7).hex() == SEVEN
    assert deal_seed(seed_from_number(7), 0).hex() == SEVEN_DEAL_0
    assert chance.shuffle(range(20), "shuffle", 1, 1) == SHUFFLED
    assert chance.pick(6, "first") == PICKED
    assert chance.roll(range(1, 7), 10, "dice", 1, 0) == ROLLED


def test_below_skips_words_that_would_be_biased() -> None:
    assert below(3, iter([0xFFFFFFFF, 5])) == 2
    assert below(3, iter([0xFFFFFFFE])) == 0xFFFFFFFE % 3
    assert below(1 << 31, iter([0xFFFFFFFF])) == 0x7FFFFFFF


def test_places_are_told_apart_by_what_is_written() -> None:
    chance = Chance(SEED)
    assert chance.pick(10**9, "x", 1) == chance.pick(10**9, "x", "1") == chance.pick(10**9, "x/1")
    assert chance.pick(10**9, "x", True) == chance.pick(10**9, "x/True") != chance.pick(10**9, "x", 1)


def test_places_and_seeds_are_independent() -> None:
    chance = Chance(SEED)
    assert chance.shuffle(range(40), "a", 1) != chance.shuffle(range(40), "a", 2)
    assert chance.shuffle(range(40), "a", 1) != Chance(bytes(32)).shuffle(range(40), "a", 1)
    assert chance.shuffle(range(40), "a", 1) == chance.copy().shuffle(range(40), "a", 1)


def test_picks_and_rolls_are_even() -> None:
    chance = Chance(SEED)
    picked = Counter(chance.pick(6, "first", n) for n in range(6000))
    assert set(picked) == set(range(6))
    assert all(abs(count - 1000) < 130 for count in picked.values())
    rolled = Counter(chance.roll("abcdef", 6000, "dice"))
    assert all(abs(count - 1000) < 130 for count in rolled.values())


def test_script_lies_on_top_and_the_seed_goes_on() -> None:
    chance = ScriptedChance(SEED, deck=(3, 1))
    pack = chance.shuffle(PACK, "shuffle", 1)
    assert pack[:2] == (3, 1)
    assert sorted(pack) == sorted(PACK)
    assert chance.shuffle(PACK, "shuffle", 2) == Chance(SEED).shuffle(PACK, "shuffle", 2)


def test_script_goes_on_through_shuffles() -> None:
    chance = ScriptedChance(SEED, deck=(3, 3, 1, 1, 3, 2))
    assert chance.shuffle(PACK, "shuffle", 1)[:4] == (3, 3, 1, 1)
    assert chance.shuffle(PACK, "shuffle", 2, left=3)[:3] == (1, 3, 2)
    chance.dealt(0)
    assert chance.deck == ()


def test_a_card_that_is_not_in_the_pack_may_wait_for_the_next_shuffle() -> None:
    chance = ScriptedChance(SEED, deck=(3, 3, 3))
    assert chance.shuffle(PACK, "shuffle", 1)[:2] == (3, 3)
    assert chance.shuffle(PACK, "shuffle", 2, left=4)[0] == 3


def test_a_card_that_has_to_be_dealt_but_is_not_in_the_pack() -> None:
    chance = ScriptedChance(SEED, deck=(3, 3, 3))
    chance.shuffle(PACK, "shuffle", 1)
    with pytest.raises(ScriptError, match=r"next card, 3, was not in the pack .*after 3, 3 of this shuffle"):
        chance.dealt(3)
    with pytest.raises(ScriptError, match="the script deals 9, but the pack has no such card"):
        ScriptedChance(SEED, deck=(1, 9)).shuffle(PACK, "shuffle", 1)


def test_copies_of_a_script_go_their_own_ways() -> None:
    chance = ScriptedChance(SEED, (3, 3, 1, 1, 2), [[1, 2], [3, 4]], {"first": 2, "cut": 1})
    chance.shuffle(PACK, "shuffle", 1)
    chance.roll(range(1, 7), 2, "dice", 1)
    chance.pick(4, "first")
    twin = chance.copy()
    assert twin.unasked() == chance.unasked() == ["cut"]
    assert twin.roll(range(1, 7), 2, "dice", 2) == chance.roll(range(1, 7), 2, "dice", 2) == (3, 4)
    assert twin.shuffle(PACK, "shuffle", 2, left=2)[0] == 2
    assert twin.pick(4, "cut") == 1
    assert chance.shuffle(PACK, "shuffle", 2, left=4)[:3] == (1, 1, 2)
    assert chance.unasked() == ["cut"]
    assert ScriptedChance(SEED, (1,)).copy().unasked() == ["deck"]


def test_scripted_picks_answer_once() -> None:
    chance = ScriptedChance(SEED, picks={"first": 3})
    assert chance.pick(4, "first") == 3
    assert chance.pick(4, "first", 2) == Chance(SEED).pick(4, "first", 2)
    assert chance.pick(4) == Chance(SEED).pick(4)
    with pytest.raises(ScriptError, match="first = 4 is out of range: it must be from 0 to 3"):
        ScriptedChance(SEED, picks={"first": 4}).pick(4, "first")


def test_scripted_dice() -> None:
    faces = (3, 4, "skull")
    chance = ScriptedChance(SEED, dice=[[3, "skull"], [4]])
    assert chance.roll(faces, 2, "dice", 1) == (3, "skull")
    assert chance.roll(faces, 1, "dice", 2) == (4,)
    assert chance.roll(faces, 5, "dice", 3) == Chance(SEED).roll(faces, 5, "dice", 3)
    with pytest.raises(ScriptError, match="rolls 1 dice .* where the rules roll 2"):
        ScriptedChance(SEED, dice=[[3]]).roll(faces, 2, "dice")
    with pytest.raises(ScriptError, match="no die shows 7: the faces are 3, 4, skull"):
        ScriptedChance(SEED, dice=[[7]]).roll(faces, 1, "dice")


def test_what_the_rules_never_asked_for() -> None:
    chance = ScriptedChance(SEED, (1,), [[3]], {"first": 0})
    assert chance.unasked() == ["deck", "dice", "first"]
    chance.shuffle(PACK, "shuffle", 1)
    chance.roll((3,), 1, "dice")
    chance.pick(2, "first")
    assert chance.unasked() == []


def test_picks_from_another_number_on() -> None:
    assert Chance(SEED).pick(39, "cut", low=1) == 1 + Chance(SEED).pick(39, "cut")
    assert ScriptedChance(SEED, picks={"cut": 39}).pick(39, "cut", low=1) == 39
    with pytest.raises(ScriptError, match="cut = 0 is out of range: it must be from 1 to 39"):
        ScriptedChance(SEED, picks={"cut": 0}).pick(39, "cut", low=1)
