"""The chain reaches every consistent deal equally often, compared with an enumeration of all of them."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from arena.record.played_rules import rules
from arena.redeal.consistent_play import ConsistentMatch
from arena.redeal.hidden_chance import search
from arena.redeal.knowledge import ObservedMatch
from arena.redeal.mcmc import MarkovChain
from arena.redeal.overridable_chance import OverridableChance
from arena.redeal.random_draws import RandomDraws
from arena.values.rows import StoredMatch
from referee.engine.chance import Chance
from referee.engine.record import unpack_answers
from referee.games.coch import COCH
from referee.games.perudo import PERUDO
from referee.games.tricks import type_of
from tests.redeal.redealt_matches import moments
from tests.replay.replays import stored

Hands = tuple[tuple[int, ...], ...]


def course(match: StoredMatch, answers: int, seat: int) -> ConsistentMatch:
    game, options = rules(match)
    observed = ObservedMatch(game, options, len(match.row.seats), seat, OverridableChance(Chance(match.row.seed)))
    observed.read(unpack_answers(match.row.answers)[:answers], ())
    return ConsistentMatch(observed)


def visited(course: ConsistentMatch, steps: int) -> Iterator[Any]:
    """Yield the states that the Markov chain visits."""
    draws = RandomDraws(bytes(32))
    chain = MarkovChain(course, search(course, draws), draws)
    for _ in range(steps):
        chain.step()
        yield course.last


def dealt(hands: Hands, leaders: tuple[int, ...], played: tuple[int, ...]) -> list[Counter[int]] | None:
    """Return the hands as they were dealt; None if a seat revoked.

    hands: at the moment.
    played: the cards of the deal, in order, by tricks of four.
    """
    held = [Counter(hand) for hand in hands]
    for number, leader in reversed([*enumerate(leaders)]):
        cards = played[4 * number : 4 * number + 4]
        for place in reversed(range(len(cards))):
            seat = (leader + place) % 4
            base = type_of(cards[0])
            if type_of(cards[place]) != base and any(type_of(card) == base for card in held[seat]):
                return None
            held[seat][cards[place]] += 1
    return held


def every_deal(course: ConsistentMatch) -> Counter[Hands]:
    """Return all hands that the other seats can hold, with the number of deals that give each.

    Of two equal cards a seat may have been dealt either: equal cards in two hands count twice.
    """
    state: Any = course.last
    seat = course.observed.seat
    others = [other for other in range(4) if other != seat]
    cards = [card for other in others for card in state.hands[other]]
    first, second, _ = (len(state.hands[other]) for other in others)
    found: Counter[Hands] = Counter()
    numbers = set(range(len(cards)))
    for one in combinations(numbers, first):
        for two in combinations(numbers - set(one), second):
            hands = list(map(tuple, state.hands))
            for other, held in zip(others, (one, two, numbers - set(one) - set(two)), strict=True):
                hands[other] = tuple(sorted((cards[number] for number in held), reverse=True))
            given = dealt(tuple(hands), state.leaders, state.played + state.table)
            if given is not None:
                found[tuple(hands)] = 2 ** (sum(count == 1 for hand in given for count in hand.values()) // 2)
    return found


@pytest.mark.parametrize(("answers", "seat"), [(28, 1), (30, 0)])
def test_consistent_hands_of_a_trick_game_are_equally_frequent(answers: int, seat: int) -> None:
    at = course(stored(COCH), answers, seat)
    every = every_deal(at)
    assert len(every) == 6
    passed = Counter(tuple(map(tuple, state.hands)) for state in visited(at, 3000))
    assert passed.keys() == every.keys()
    for hands, deals in every.items():
        assert 0.7 < passed[hands] / 3000 / (deals / every.total()) < 1.3


def test_hidden_dice_are_equally_frequent_and_no_others_change() -> None:
    match = stored(PERUDO)
    at = course(match, moments(match, 12)[10], 0)
    now: Any = at.last.view(0)
    passed: Counter[tuple[int, ...]] = Counter()
    for state in visited(at, 4000):
        view = state.view(0)
        assert (view.dice, view.aside) == (now.dice, now.aside)
        passed[tuple(die for seat in range(1, len(match.row.seats)) for die in state.view(seat).dice)] += 1
    assert len(passed) == 36
    assert all(0.5 < count / (4000 / 36) < 1.5 for count in passed.values())


def test_cards_that_can_be_deduced_are_not_hidden() -> None:
    """Seats 0 and 2 must hold all cards of one type, as seat 3 did not follow: so it has the two numbers."""
    found = search(course(stored(COCH), 28, 1), RandomDraws(bytes(32)))
    assert [part.request.place for part in found] == ["deck/1"]
    cards = {found[0].request.elements[number] for number in found[0].at}
    assert cards == {14, -4, 15, 0}
