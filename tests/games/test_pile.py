"""The pack and the pile."""

import pytest

from referee.engine.chance import Chance, seed_from_number
from referee.games.cuckoo_pack import CUCKOO, FOOL, pack
from referee.games.pile import Pile


@pytest.mark.parametrize(
    ("packs", "cuckoos", "cards"), [(1, 2, 40), (1, 1, 39), (2, 2, 78), (2, 1, 77), (2, 3, 79), (2, 4, 80)]
)
def test_pack(packs: int, cuckoos: int, cards: int) -> None:
    made = pack(packs, cuckoos)
    assert len(made) == cards
    assert made.count(CUCKOO) == cuckoos
    assert {made.count(kind) for kind in range(FOOL, CUCKOO)} == {2 * packs}


def test_a_pile_that_runs_out_is_made_of_the_discards() -> None:
    pile = Pile(Chance(seed_from_number(1)))
    pile.open(1, (1, 2, 3, 4, 5))
    first = pile.deal(4)
    pile.discards = first[:3]
    rest = pile.left
    taken = pile.deal(3)
    assert rest == 1
    assert sorted(first + taken[:1]) == [1, 2, 3, 4, 5]
    assert set(taken[1:]) < set(first[:3])
    assert pile.discards == ()
    assert (pile.left, pile.shuffles) == (1, 1)


def test_a_new_pile_depends_on_which_cards_were_discarded_not_on_their_order() -> None:
    piles = []
    for discards in ((1, 2, 3, 4, 5), (5, 3, 1, 2, 4)):
        pile = Pile(Chance(seed_from_number(1)))
        pile.open(1, (6,))
        pile.deal(1)
        pile.discards = discards
        piles.append(pile.deal(5))
    assert piles[0] == piles[1]


def test_a_pile_that_is_empty_is_shuffled_only_when_a_card_is_needed() -> None:
    pile = Pile(Chance(seed_from_number(1)))
    pile.open(1, (1, 2))
    pile.discards = (3,)
    pile.deal(2)
    assert (pile.left, pile.discards, pile.shuffles) == (0, (3,), 0)


def test_a_copy_deals_the_same_cards_and_leaves_the_original_alone() -> None:
    pile = Pile(Chance(seed_from_number(1)))
    pile.open(1, tuple(range(10)))
    twin = pile.copy()
    assert twin.deal(4) == pile.deal(4)
    twin.deal(3)
    assert (pile.left, twin.left) == (6, 3)


def test_drawing_is_dealing_one_card() -> None:
    drawn, dealt = Pile(Chance(seed_from_number(1))), Pile(Chance(seed_from_number(1)))
    for pile in (drawn, dealt):
        pile.open(1, (1, 2, 3, 4, 5))
    for _ in range(8):
        card = drawn.draw()
        assert (card,) == dealt.deal(1)
        assert (drawn.left, drawn.undealt()) == (dealt.left, dealt.undealt())
        drawn.discards += (card,)
        dealt.discards += (card,)
    assert drawn.shuffles == dealt.shuffles == 1
