"""A match: what seats see, how chance is drawn, how scores are made."""

from collections import Counter

import pyspiel
import pytest
from botarena_openspiel.moves import move_texts, printable
from botarena_openspiel.sampling import draw

from referee.engine import registry
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.events import history
from referee.engine.game import State


def chance(number: int = 1) -> Chance:
    return Chance(deal_seed(seed_from_number(number), 0))


def start(name: str, seats: int = 2, number: int = 1, **options: object) -> State:
    game = registry.game(f"openspiel:{name}")
    return game.start(game.options.parse(options), seats, chance(number))


def test_a_seat_sees_its_information_state_and_not_the_card_of_the_other() -> None:
    state = start("kuhn_poker")
    assert state.asked == (0,)
    views = [state.view(seat) for seat in (0, 1)]
    cards = [view.information for view in views]
    assert sorted(cards) != cards or cards[0] != cards[1]
    assert all(len(card) == 1 for card in cards)
    assert not any(view.history for view in views)
    assert views[0].actions == (0, 1)
    assert views[1].actions == ()
    lines = registry.game("openspiel:kuhn_poker").lines
    assert history(lines, state.events, 0) == [f"seat 0 sees {cards[0]}"]
    assert len(history(lines, state.events)) == 4  # two cards are dealt, two seats are told


def test_a_game_of_perfect_information_is_public() -> None:
    state = start("tic_tac_toe")
    state.apply(["x(1,1)"])
    assert state.view(0).history == state.view(1).history == (4,)
    assert state.view(1).information == "...\n.x.\n..."
    assert history(registry.game("openspiel:tic_tac_toe").lines, state.events, 1) == ["seat 0 plays x(1,1)"]


def test_a_state_is_made_anew_from_the_view() -> None:
    state = start("backgammon")
    view = state.view(state.asked[0])
    again = pyspiel.load_game(view.game).new_initial_state()
    for action in view.history:
        again.apply_action(action)
    assert again.legal_actions() == list(view.actions)


@pytest.mark.parametrize(("name", "size"), [("kuhn_poker", 11), ("tic_tac_toe", 27)])
def test_tensors_are_an_option(name: str, size: int) -> None:
    assert start(name).view(0).tensor == ()
    assert len(start(name, tensor=True).view(0).tensor) == size


def test_a_deal_is_the_same_for_whoever_sits_there() -> None:
    first, second, other = (start("leduc_poker", number=number) for number in (1, 1, 3))
    assert first.view(0) == second.view(0)
    assert (first.view(0), first.view(1)) != (other.view(0), other.view(1))
    for state, bet in ((first, "Call"), (second, "Raise")):
        state.apply([bet])
        state.apply(["Call"])
    public = [state.view(0).information.partition("[Public: ")[2][0] for state in (first, second)]
    assert public[0] == public[1]  # the third card of the pack, whatever was bet


def test_draws_have_the_probabilities_of_openspiel() -> None:
    outcomes = [(7, 0.5), (8, 0.25), (9, 0.25), (10, 0.0)]
    drawn = Counter(draw(outcomes, chance(), number) for number in range(8000))
    assert set(drawn) == {7, 8, 9}
    assert all(abs(drawn[action] / 8000 - share) < 0.02 for action, share in outcomes)
    even = Counter(draw([(7, 1 / 3), (8, 1 / 3), (9, 1 / 3)], chance(), number) for number in range(6000))
    assert all(abs(count / 6000 - 1 / 3) < 0.02 for count in even.values())


def test_scores_are_thousandths_and_ties_share_a_rank() -> None:
    state = start("kuhn_poker")
    while state.asked:
        state.apply(["Pass"])
    outcome = state.outcome()
    assert sorted(outcome.scores) == [-1000, 1000]
    assert registry.game("openspiel:kuhn_poker").in_units(1000) == 1
    assert start("tic_tac_toe").outcome().ranks == (1, 1)


class Twins:
    """A state whose actions read alike but for capitals."""

    def action_to_string(self, player: int, action: int) -> str:
        return ["Bxc3", "bxc3", "", "d\n 4\u2660"][action]


def test_moves_that_read_alike_have_their_numbers() -> None:
    assert move_texts(Twins(), 0, [0, 1, 2, 3]) == ("Bxc3 #0", "bxc3 #1", "#2", "d 4\\u2660")
    assert printable(" a\tb\x00 ") == "a b"
