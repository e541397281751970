"""Deals that agree with what is known: which, and each as often as any other."""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from arena.positions.dealer import DealPlan, Tellings, Unfit, WorldChance
from referee.engine.known import Known

PLACE = ("deck", 1)


def fits(deal: tuple[Any, ...], known: list[Known]) -> bool:
    for part in known:
        rest = [deal[index] for index in part.at]
        for value in part.values:
            if value not in rest:
                return False
            rest.remove(value)
        if part.among is not None and sum(value not in part.among for value in rest) > part.spare:
            return False
    return True


@pytest.mark.parametrize(
    "known",
    [
        [],
        [(0,), (3,)],
        [(0, 1), (3,)],
        [(0, 1, 2), (3, 4)],
        [(0, 1), (), (1, 2, 3)],
        [(0, 1), (2,), (1, 3), (2, 3), (), (3, 4, 5)],
        [(0,), (), (1, 2), (1,), (), (2, 3), (2,), (), (3, 1)],
        [(0, 1, 2), (), (1, 2, 3, 4), (3, 4), (), (4, 5)],
        [(0, 2, 4), (5,), (0, 1, 2), (1, 3), (), None],
    ],
    ids=str,
)
@pytest.mark.parametrize("cards", [(0, 1, 2, 3, 4, 5), (1, 1, 2, 3, 3, 4, 5)], ids=str)
def test_each_deal_that_agrees_comes_equally_often(known: list[Any], cards: tuple[int, ...]) -> None:
    parts = [Known(PLACE, *known[at : at + 3]) for at in range(0, len(known), 3)]
    expected = Counter(deal for deal in permutations(cards) if fits(deal, parts))
    if not expected:
        with pytest.raises(Unfit):
            DealPlan(cards, parts).deal(Random(1))
        return
    plan, rng = DealPlan(cards, parts), Random(1)
    count = 40 * len(expected)
    drawn = Counter(plan.deal(rng) for _ in range(count))
    assert drawn.keys() == expected.keys()
    scale = count / expected.total()
    chi_square = sum((drawn[deal] - times * scale) ** 2 / (times * scale) for deal, times in expected.items())
    assert chi_square < len(expected) + 5 * (2 * len(expected)) ** 0.5


def test_some_may_be_anything_all_the_same() -> None:
    known = [Known(PLACE, (0, 1, 2), (), (0, 1), 1)]
    cards = (0, 1, 2, 3)
    expected = {deal for deal in permutations(cards) if fits(deal, known)}
    plan, rng = DealPlan(cards, known), Random(1)
    drawn = Counter(plan.deal(rng) for _ in range(2000))
    assert drawn.keys() == expected
    assert max(drawn.values()) < 1.3 * min(drawn.values())


@pytest.mark.parametrize(
    "known",
    [
        [Known(PLACE, (0,), (9,))],
        [Known(PLACE, (0,), (1, 2))],
        [Known(PLACE, (0, 1), (1, 1))],
        [Known(PLACE, (0, 7), (1,))],
        [Known(PLACE, (0,), (1,)), Known(PLACE, (0,), (2,))],
        [Known(PLACE, (0, 1), (), (3,))],
    ],
)
def test_what_cannot_be_is_no_deal(known: list[Known]) -> None:
    with pytest.raises(Unfit):
        DealPlan((1, 2, 3), known).deal(Random(1))


def test_dice_and_numbers_agree_too() -> None:
    tellings = Tellings()
    tellings.update(
        [
            Known(("roll", 1), (0, 1, 2), (6, 6), (1, 2)),
            Known(("first",), (0,), (3,)),
            Known(("cut",), (0,), (), (5, 6)),
        ]
    )
    seen: Counter[tuple[int, ...]] = Counter()
    for number in range(300):
        chance = WorldChance(tellings, bytes([number % 256, number // 256]))
        dice = chance.roll(range(1, 7), 4, "roll", 1)
        assert dice == chance.roll(range(1, 7), 4, "roll", 1), "what was dealt stays so"
        assert sorted(dice[:3])[1:] == [6, 6]
        assert sorted(dice[:3])[0] in (1, 2)
        assert chance.pick(4, "first", low=1) == 3
        assert chance.pick(10, "cut") in (5, 6)
        seen[dice[3:]] += 1
    assert len(seen) == 6
    with pytest.raises(Unfit):
        WorldChance(tellings, b"x").roll((1, 2), 4, "roll", 1)


def test_other_cards_at_the_same_place_are_dealt_anew() -> None:
    chance = WorldChance(Tellings(), b"x")
    first = chance.shuffle((1, 2, 3), "deck", 1)
    assert sorted(chance.shuffle((1, 2, 3, 4), "deck", 1)) == [1, 2, 3, 4]
    assert sorted(first) == [1, 2, 3]


def test_what_was_dealt_for_one_answer_stays_so_when_others_are_tried() -> None:
    chance = WorldChance(Tellings(), b"x")
    rolled = {count: chance.roll(range(1, 7), count, "roll", 1) for count in (3, 2, 4)}
    assert {count: chance.roll(range(1, 7), count, "roll", 1) for count in (2, 4, 3)} == rolled
    chance.mark()
    later = chance.roll(range(1, 7), 8, "roll", 1), chance.roll(range(1, 7), 8, "roll", 2)
    chance.forget()
    assert {count: chance.roll(range(1, 7), count, "roll", 1) for count in (2, 4, 3)} == rolled
    assert (chance.roll(range(1, 7), 8, "roll", 1), chance.roll(range(1, 7), 8, "roll", 2)) != later
