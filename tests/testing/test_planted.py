"""The suite finds planted mistakes: a small sound game, and one mistake each."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import pytest

from arena.testing import (
    BrokenPromise,
    Check,
    check_chance,
    check_copies,
    check_counts,
    check_declaration,
    check_determinism,
    check_end,
    check_game,
    check_hiding,
    check_log,
    check_moves,
    check_outcome,
    check_questions,
    check_replay,
    check_views,
    check_views_follow_the_log,
)
from referee.engine.chance import Chance
from referee.engine.events import Audience, Line
from referee.engine.game import Game, Outcome
from referee.engine.options import Options, option
from tests.swapping import DEALT, KEEPS, LINES, ROUND, SWAPPING, TAKES, Swapping, SwappingState


def planted(mistake: type[SwappingState], **attributes: Any) -> Game:
    """Return the game with a mistake in its state, or with other attributes."""
    made: Game = type("Planted", (Swapping,), {"state": mistake, **attributes})()
    return made


def caught(check: Check, game: Game) -> BrokenPromise:
    """Return what the whole suite says of a game; that check must be the one that finds it."""
    with pytest.raises(BrokenPromise) as found:
        check_game(game)
    assert found.value.again.startswith(f"{check.name}(swapping, ")
    assert found.value.promise == check.promise
    return found.value


def lines(number: int, **changes: Any) -> tuple[Line, ...]:
    return tuple(replace(line, **changes) if n == number else line for n, line in enumerate(LINES))


def test_the_sound_game_passes() -> None:
    check_game(SWAPPING, examples=30)


class ShowsTheNextCard(SwappingState):
    """Leaks through the view: the pile's number is one more where the next card is high."""

    def view(self, seat: int) -> tuple[Any, ...]:
        view: Any = super().view(seat)
        return tuple.__new__(type(view), view._replace(pile=view.pile + (self.pile[0] > 3)))


class ShowsTheNeighboursCard(SwappingState):
    """Leaks through the view, and only now and then: when both hold the same."""

    def view(self, seat: int) -> tuple[Any, ...]:
        view: Any = super().view(seat)
        other = self.cards[(seat + 1) % len(self.cards)]
        return tuple.__new__(type(view), view._replace(pile=view.pile - (other == self.cards[seat])))


class OffersByTheNeighboursCard(SwappingState):
    """Leaks through the legal list: there is nothing to gain by a swap, and it is not offered."""

    def legal(self, seat: int) -> tuple[str, ...]:
        moves = super().legal(seat)
        return (*moves, "wave") if moves and "wave" not in moves and max(self.cards) == self.cards[seat] else moves


class OrdersByTheNextCard(SwappingState):
    """Leaks through the order of the moves."""

    def legal(self, seat: int) -> tuple[str, ...]:
        moves = super().legal(seat)
        return moves[::-1] if self.pile[0] > 3 else moves


class DefaultsByTheNextCard(SwappingState):
    """Leaks through the default move."""

    def default(self, seat: int) -> str:
        return "swap" if self.pile[0] > self.cards[seat] else "keep"


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (ShowsTheNextCard, "its view.pile was"),
        (ShowsTheNeighboursCard, "its view.pile was"),
        (OffersByTheNeighboursCard, "the moves it is offered"),
        (OrdersByTheNextCard, "the order of the moves it is offered"),
        (DefaultsByTheNextCard, "its default move"),
    ],
)
def test_a_leak_through_a_question(mistake: type[SwappingState], words: str) -> None:
    found = caught(check_hiding, planted(mistake))
    assert "can tell whether" in found.what
    assert words in found.what


@pytest.mark.parametrize("line", [DEALT, TAKES])
def test_a_leak_through_events(line: int) -> None:
    found = caught(check_hiding, planted(SwappingState, lines=lines(line, to=Audience.ALL)))
    assert 'it is told "seat ' in found.what
    assert "with `reveals`" in found.what


def test_a_leak_through_a_line_that_is_only_said_of_some_cards() -> None:
    class Sighs(SwappingState):
        def _keep(self, seat: int) -> None:
            super()._keep(seat)
            if self.cards[seat] < 3:
                self.events.append((8, seat))

    sighs = (*LINES, Line("seat {} sighs", "it has a low card"))
    found = caught(check_hiding, planted(Sighs, lines=sighs))
    assert "sighs" in found.what


def test_a_leak_through_a_secret_that_somebody_chose() -> None:
    class HidesSwaps(SwappingState):
        def view(self, seat: int) -> tuple[Any, ...]:
            view: Any = super().view(seat)
            return tuple.__new__(type(view), view._replace(pile=5))

        def _swap(self, seat: int) -> None:
            self.events[-1] = (KEEPS, seat)
            super()._swap(seat)

        def legal(self, seat: int) -> tuple[str, ...]:
            return super().legal(seat)[:: -1 if len(self.aside) > 1 else 1]

    assert "the order of the moves" in caught(check_hiding, planted(HidesSwaps)).what


def test_a_view_that_moves_on_without_the_log() -> None:
    class Silent(SwappingState):
        def _keep(self, seat: int) -> None:
            pass

    assert "view.turn was" in caught(check_views_follow_the_log, planted(Silent)).what


def test_a_copied_alias() -> None:
    class Alias(SwappingState):
        def copy(self) -> Self:
            counterfactual = super().copy()
            counterfactual.pile = self.pile
            return counterfactual

    found = caught(check_copies, planted(Alias))
    assert "playing on a copy changes the original: state.pile was" in found.what


def test_a_copy_that_forgets() -> None:
    class Forgetful(SwappingState):
        def copy(self) -> Self:
            counterfactual = super().copy()
            counterfactual.points = [0] * len(self.points)
            return counterfactual

    caught(check_copies, planted(Forgetful))


class IgnoresTheSeed(SwappingState):
    """Shuffles with a seed of its own."""

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, Chance(b"mine"))


class ThrowsDice(SwappingState):
    """Asks Python for chance."""

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, Chance(random.randbytes(8)))


@pytest.mark.parametrize(("mistake", "words"), [(IgnoresTheSeed, "different seeds"), (ThrowsDice, "the second")])
def test_an_ignored_seed(mistake: type[SwappingState], words: str) -> None:
    assert words in caught(check_determinism, planted(mistake)).what


def test_a_place_of_chance_that_is_used_twice() -> None:
    class Repeats(SwappingState):
        def _deal(self) -> None:
            self.chance.shuffle(PACK_OF_TWO, "deal", self.round)
            super()._deal()

    PACK_OF_TWO = (1, 2)
    assert 'at the place "deal/1"' in caught(check_chance, planted(Repeats)).what


def test_a_card_that_is_lost() -> None:
    class Loses(SwappingState):
        def _swap(self, seat: int) -> None:
            super()._swap(seat)
            self.aside.clear()

    assert "at the start" in caught(check_counts, planted(Loses)).what


def test_a_match_without_end() -> None:
    class Endless(SwappingState):
        def _show(self) -> None:
            self.round = 0
            super()._show()

    class Numbered(Endless):
        def __init__(self, seats: int, chance: Chance) -> None:
            self.deals = 0
            super().__init__(seats, chance)

        __slots__ = ("deals",)

        def _deal(self) -> None:
            self.deals += 1
            self.chance = Chance(self.chance.seed + bytes([self.deals % 256]))
            super()._deal()

        def copy(self) -> Self:
            counterfactual = super().copy()
            counterfactual.deals = self.deals
            return counterfactual

    with pytest.raises(BrokenPromise, match="has not ended"):
        check_end(planted(Numbered))


def test_scores_and_ranks_that_contradict_each_other() -> None:
    class Contradicts(SwappingState):
        def outcome(self) -> Outcome:
            return Outcome(tuple(self.points), tuple(range(1, len(self.points) + 1)))

    caught(check_end, planted(Contradicts))


def test_ranks_that_are_none() -> None:
    class Counts(SwappingState):
        def outcome(self) -> Outcome:
            return Outcome(tuple(self.points), tuple(point + 1 for point in self.points))

    caught(check_outcome, planted(Counts))


def test_a_question_without_a_choice() -> None:
    class Forced(SwappingState):
        def legal(self, seat: int) -> tuple[str, ...]:
            return super().legal(seat)[: 1 if self.cards[seat] == 6 else 3]

    assert "has no choice" in caught(check_questions, planted(Forced)).what


def test_a_move_that_is_offered_and_cannot_be_played() -> None:
    class Trips(SwappingState):
        def apply(self, moves: Sequence[str]) -> None:
            assert moves[0] != "wave", "nobody waves"
            super().apply(moves)

    game = planted(Trips)
    with pytest.raises(BrokenPromise, match="nobody waves"):
        check_game(game)
    offered = r"playing what is offered, \"wave\"|raises AssertionError: nobody waves"
    with pytest.raises(BrokenPromise, match=offered):  # noqa: PT012  one of the seeds offers it
        for seed in range(20):
            check_moves(game, seed=seed)


@pytest.mark.parametrize("move", ["KEEP", "wave ", "wa\u0301ve", ""])
def test_a_move_that_is_no_canonical_text(move: str) -> None:
    class Shouts(SwappingState):
        def legal(self, seat: int) -> tuple[str, ...]:
            return tuple(move if each == "wave" else each for each in super().legal(seat))

        def apply(self, moves: Sequence[str]) -> None:
            super().apply(["wave" if moves[0] == move else moves[0]])

    found = caught(check_moves, planted(Shouts))
    assert "canonical" in found.what or "only in capitals" in found.what


@pytest.mark.parametrize("move", ["say", "keep"])
def test_a_text_move_that_is_not_offered_or_not_heard(move: str) -> None:
    assert "offer it in every question" in caught(check_moves, planted(SwappingState, text_move=move)).what


def test_a_text_over_which_the_rules_fail() -> None:
    class Reads(SwappingState):
        def talk_limit(self) -> int:
            return 20

        def say(self, seat: int, words: str) -> None:
            words.encode("ascii")

    found = caught(check_moves, planted(Reads, text_move="keep"))
    assert 'saying "\N{SNOWMAN}" raises UnicodeEncodeError' in found.what


def test_a_move_that_is_not_among_the_actions() -> None:
    def all_but_wave(self: Game, options: object, seats: int) -> tuple[str, ...]:
        return ("keep", "swap")

    assert "does not list" in caught(check_moves, planted(SwappingState, actions=all_but_wave)).what


def test_an_event_that_does_not_fit_its_line() -> None:
    class Babbles(SwappingState):
        def _keep(self, seat: int) -> None:
            self.events.append((KEEPS, seat, 1))

    assert "1 places" in caught(check_log, planted(Babbles)).what


def test_an_event_with_a_boolean() -> None:
    class Nods(SwappingState):
        def _keep(self, seat: int) -> None:
            self.events.append((KEEPS, seat == 0))

    assert "neither a whole number" in caught(check_log, planted(Nods)).what


def test_a_log_that_is_rewritten() -> None:
    class Rewrites(SwappingState):
        def _keep(self, seat: int) -> None:
            self.events[0] = (ROUND, seat + 7)
            super()._keep(seat)

    caught(check_log, planted(Rewrites))


def test_a_view_that_does_not_fit_its_message() -> None:
    class Blind(SwappingState):
        def view(self, seat: int) -> tuple[Any, ...]:
            view: Any = super().view(seat)
            return tuple.__new__(type(view), view._replace(card=None))

    assert "view(0).card is None, but its bytes say 0" in caught(check_views, planted(Blind)).what


def test_presets_that_are_wrong() -> None:
    for presets, words in (
        ({"other": {}}, "the first of `presets`"),
        ({"default": {}, "long": {"rounds": 5}}, 'there is no option "rounds"'),
    ):
        with pytest.raises(BrokenPromise, match=words):
            check_declaration(planted(SwappingState, presets=presets))


@pytest.mark.parametrize(
    ("turned", "words"),
    [
        ({}, "open=true"),
        ({"open": True}, "price=second"),
        ({"open": True, "price": "second"}, ""),
    ],
)
def test_an_optional_rule_that_is_in_no_preset(turned: dict[str, Any], words: str) -> None:
    @dataclass(frozen=True, slots=True)
    class Rules(Options):
        coins: int = option(5, "a number", low=1)
        open: bool = option(False, "a switch")
        price: str = option("first", "a choice", choices={"first": "the first", "second": "the second"})

    game = planted(SwappingState, options=Rules, presets={"default": {}, "other": turned})
    if words:
        with pytest.raises(BrokenPromise, match=f"no preset has the option {words}: each optional rule must be in one"):
            check_declaration(game)
    else:
        check_declaration(game)


def test_the_message_says_how_to_see_it_again() -> None:
    found = caught(check_hiding, planted(OrdersByTheNextCard))
    again: dict[str, Callable[..., None]] = {"check_hiding": check_hiding}
    with pytest.raises(BrokenPromise) as second:
        eval(found.again, {**again, "swapping": planted(OrdersByTheNextCard)})
    assert str(second.value) == str(found)
    assert str(found).splitlines()[1:] == [
        f"promise: {found.promise}",
        f"where: {found.where}",
        f"again: {found.again}",
    ]


def test_a_record_that_does_not_tell_the_match() -> None:
    class Remembers(SwappingState):
        matches = 0

        def __init__(self, seats: int, chance: Chance) -> None:
            super().__init__(seats, chance)
            Remembers.matches += 1
            self.points[0] = Remembers.matches % 2

    with pytest.raises(BrokenPromise):
        check_replay(planted(Remembers))
