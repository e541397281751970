"""Cambio: the book's example, and what views, options and the log say. Each single rule has its scenario file."""

import pytest

from referee.engine.errors import OptionError, SeatsError
from referee.games.cambio import CAMBIO, HOLDER, REBIRTH, TURN, CambioState
from referee.games.cuckoo_pack import CUCKOO, UNKNOWN
from referee.games.exchange import (
    BY_CAT,
    BY_FOOL,
    DREW,
    EXCHANGED,
    FROM_PILE,
    NOBODY,
    NOT_YET,
    SHOWN_CAT,
    SHOWN_NOTHING,
    SHOWN_PASS,
    STANDING,
    STOPPED,
)
from tests.games.dealt import deal, log, play, random_match

A, B, C, D, E, F = range(6)

ROUND_1 = (2, -1, 8, 14, -4, 0)
ROUND_2 = (3, -2, 5, 13, 12, -4, 15)
ROUND_3 = (-3, 15, -2, 13, -3, 6)
ROUND_4 = (0, 1, 10, -1, 1, 14)
ROUND_5 = (5, 12, 9, 3, 11, 11, 6)
ROUND_6 = (10, 7, 7)
SET_2 = (-4, -4, 11, -3, 13, 11, 14)
BOOK = (*ROUND_1, *ROUND_2, *ROUND_3, *ROUND_4, *ROUND_5, *ROUND_6, *SET_2)


def test_the_example_of_the_book() -> None:
    state: CambioState = deal(CAMBIO, 6, BOOK)
    assert state.chips == (24,) * 6
    play(state, "1 keep", "2 exchange", "3 exchange", "4 keep", "5 exchange")
    assert (state.chips, state.box, state.lead) == ((23, 24, 24, 23, 24, 23), 9, B)
    play(state, "2 keep", "3 exchange", "4 exchange", "5 keep", "0 keep", "1 exchange")
    assert (state.chips, state.box, state.lead) == ((23, 22, 24, 21, 24, 23), 13, C)
    play(state, "4 cuckoo")
    assert (state.chips, state.box, state.lead) == ((23, 19, 24, 18, 24, 23), 19, D)
    play(state, "4 exchange", "5 exchange", "0 exchange", "1 keep", "2 exchange", "3 keep")
    assert (state.inside, state.lead) == ((B, D, E, F), E)
    play(state, "5 keep", "1 keep", "3 keep", "4 exchange")
    assert (state.inside, state.lead) == ((B, D, E), B)
    play(state, "3 keep", "4 keep", "1 keep")
    assert "seat 3 wins the set and takes 19" in log(CAMBIO, state)
    assert (state.set, state.lead) == (2, D)
    assert state.chips == tuple(chips - 1 for chips in (23, 19, 24, 37, 24, 23))
    play(state, "4 exchange", "0 keep", "1 exchange", "2 keep", "3 keep")
    assert (state.chips, state.box) == ((21, 17, 23, 35, 22, 21), 11)


def test_the_tip_of_the_book() -> None:
    state: CambioState = deal(CAMBIO, 6, (15, -4, -3, 1, 14, -1, -3), first=F)
    play(state, "0 keep", "0 pass", "1 exchange", "0 pass", "3 exchange", "0 pass", "4 keep", "0 pass", "5 exchange")
    assert state.chips == (24, 23, 23, 23, 24, 23)
    assert state.defeats == (0, 1, 1, 1, 0, 1)


class TestView:
    """What a seat may see."""

    def test_at_the_start(self) -> None:
        view = deal(CAMBIO, 6, BOOK).view(B)
        assert view._asdict() == {
            "set": 1,
            "round": 1,
            "dealer": A,
            "cuckoos": 2,
            "box": 6,
            "chips": (24,) * 6,
            "order": (B, C, D, E, F, A),
            "defeats": (0,) * 6,
            "discards": (),
            "pile": 34,
            "lap": 1,
            "turn": B,
            "defeated": (STANDING,) * 6,
            "actions": (NOT_YET,) * 6,
            "partners": (NOBODY,) * 6,
            "replies": (SHOWN_NOTHING,) * 6,
            "seat": B,
            "stage": TURN,
            "card": 2,
            "known": (UNKNOWN, 2, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
            "aside": (),
            "strong_fools": (),
        }

    def test_a_card_given_away_stays_known_wherever_it_goes(self) -> None:
        state = deal(CAMBIO, 5, (5, 6, 7, 8, 9, 3))
        play(state, "1 exchange", "2 exchange", "3 exchange", "4 exchange")
        # 5 went from seat 1 over 2, 3 and 4 to the dealer, each of whom had it in hand.
        assert [state.view(seat).known[0] for seat in range(5)] == [5] * 5
        assert [state.view(seat).known[1] for seat in range(5)] == [UNKNOWN, 6, 6, UNKNOWN, UNKNOWN]
        assert state.view(1).card == 6
        play(state, "0 exchange")
        assert state.table.pile.discards == (6, 7, 8, 9, 3, 5)

    def test_a_card_given_up_to_the_pile(self) -> None:
        state = deal(CAMBIO, 3, (5, 13, 11, 3))
        play(state, "1 exchange")
        assert [state.view(seat).aside for seat in range(3)] == [(UNKNOWN,), (5,), (UNKNOWN,)]
        assert [state.view(seat).known for seat in range(3)] == [
            (11, UNKNOWN, 13),
            (11, 3, 13),
            (11, UNKNOWN, 13),
        ]
        view = state.view(2)
        assert view.actions == (NOT_YET, DREW, NOT_YET)
        assert view.partners == (NOBODY, FROM_PILE, NOBODY)
        assert view.replies == (SHOWN_PASS, SHOWN_NOTHING, SHOWN_PASS)

    def test_what_happened_in_the_turns(self) -> None:
        state = deal(CAMBIO, 5, (5, -4, 12, 6, 7))
        play(state, "1 exchange", "2 exchange")
        view = state.view(3)
        assert view.actions == (NOT_YET, EXCHANGED, STOPPED, NOT_YET, NOT_YET)
        assert view.defeated == (STANDING, BY_FOOL, STANDING, STANDING, STANDING)
        assert view.partners[1:3] == (2, 3)
        assert view.replies[3] == SHOWN_CAT
        # Everybody knows the fool of seat 1, and the 12.
        assert state.view(0).known == (7, -4, UNKNOWN, 12, UNKNOWN)

    def test_a_card_that_met_a_cat(self) -> None:
        state = deal(CAMBIO, 4, (5, 6, 12, 7))
        play(state, "1 exchange", "2 exchange")
        assert state.view(0).defeated == (STANDING, BY_CAT, STANDING, STANDING)
        assert state.view(0).actions == (NOT_YET, EXCHANGED, STOPPED, NOT_YET)

    def test_a_fool_drawn_from_the_pile_is_told_to_its_holder_only(self) -> None:
        state = deal(CAMBIO, 3, (5, 13, 11, -4))
        play(state, "1 exchange")
        assert (state.view(1).card, state.view(1).strong_fools) == (-4, (1,))
        assert state.view(2).strong_fools == ()

    def test_a_drawn_fool_given_away_in_the_second_lap_is_an_ordinary_one(self) -> None:
        state = deal(CAMBIO, 3, (5, 13, 11, -4), double_turn=True)
        play(state, "1 exchange", "2 keep", "0 keep", "1 keep", "2 keep", "0 keep")
        assert state.defeats == (1, 0, 0)
        state = deal(CAMBIO, 3, (5, 13, 11, -4), double_turn=True)
        play(state, "1 exchange", "2 exchange")
        assert (state.view(0).lap, state.view(0).actions) == (1, (NOT_YET, DREW, DREW, *(NOT_YET,) * 3))
        assert state.table.strong == (1,)
        play(state, "0 keep")
        assert (state.view(1).lap, state.view(1).turn) == (2, 1)
        play(state, "1 exchange")
        assert state.table.strong == ()
        assert state.view(0).defeated == (STANDING, STANDING, BY_FOOL)

    def test_nobody_but_the_holder_learns_that_a_holder_is_asked(self) -> None:
        asked = deal(CAMBIO, 3, (5, 15, 7))
        not_asked = deal(CAMBIO, 3, (5, 9, 7))
        assert (asked.asked, not_asked.asked) == ((2,), (1,))
        assert asked.view(2).stage == HOLDER
        for seat in (0, 1):
            assert asked.view(seat) == not_asked.view(seat)
        play(asked, "2 pass")
        assert log(CAMBIO, asked, 1) == log(CAMBIO, not_asked, 1)
        assert "seat 2 holds its cuckoo back" in log(CAMBIO, asked, 2)

    def test_after_the_last_turn_under_rebirth(self) -> None:
        state = deal(CAMBIO, 3, (5, 15, 7), rebirth=True)
        play(state, "2 pass", "1 keep", "2 keep", "2 pass", "0 keep")
        assert (state.asked, state.view(2).stage, state.view(2).turn) == ((2,), HOLDER, None)
        assert state.view(0).stage == REBIRTH
        play(state, "2 pass")
        assert state.asked == (0, 1, 2)
        assert {state.view(seat).stage for seat in range(3)} == {REBIRTH}

    def test_once_the_match_is_over(self) -> None:
        state = deal(CAMBIO, 2, (), chips=1, misery=True)
        assert (state.asked, state.legal(0), state.view(0).stage, state.view(0).turn) == ((), (), 0, None)
        assert state.outcome().ranks == (1, 1)


class TestIndian:
    """Extension 2: everybody sees a card but its holder."""

    def test_the_own_card_is_hidden(self) -> None:
        state = deal(CAMBIO, 3, (5, 6, 7), indian=True)
        view = state.view(1)
        assert (view.card, view.known) == (None, (7, UNKNOWN, 6))
        assert "seat 1 is dealt 5" not in log(CAMBIO, state, 1)
        assert "seat 2 is dealt 6" in log(CAMBIO, state, 1)

    def test_an_exchanged_card_is_known_to_all(self) -> None:
        state = deal(CAMBIO, 3, (5, 6, 7), indian=True)
        play(state, "1 exchange")
        assert [state.view(seat).known for seat in range(3)] == [(UNKNOWN, 6, 5), (7, 6, 5), (7, 6, 5)]

    def test_who_passes_does_not_learn_the_card(self) -> None:
        state = deal(CAMBIO, 4, (5, 13, 6, 7), indian=True)
        play(state, "1 exchange")
        assert state.view(2).card is None
        assert state.view(2).replies[2] == SHOWN_PASS
        assert not any("shows" in line for line in log(CAMBIO, state, 2))
        assert "seat 2 shows 13" in log(CAMBIO, state, 3)

    def test_a_card_from_the_pile_is_seen_by_the_others(self) -> None:
        state = deal(CAMBIO, 3, (5, 13, 11, -4), indian=True)
        play(state, "1 exchange")
        assert (state.view(1).card, state.view(1).strong_fools, state.view(1).aside) == (None, (), (UNKNOWN,))
        assert (state.view(2).known[1], state.view(2).strong_fools, state.view(2).aside) == (-4, (1,), (5,))

    def test_a_cuckoo_is_called_only_by_one_who_knows_it(self) -> None:
        state = deal(CAMBIO, 4, (5, 15, 6, 7), indian=True)
        assert state.asked == (1,)
        play(state, "1 exchange")
        assert (state.asked, state.legal(1)) == ((1,), ("pass", "cuckoo"))


class TestOptions:
    """Which options go together."""

    @pytest.mark.parametrize(
        ("options", "named"),
        [
            ({"reveal": "cancel", "cuckoos": "1"}, ["reveal=cancel", "cuckoos=1"]),
            ({"reveal": "cancel", "cuckoos": "3", "double_pack": True}, ["reveal=cancel", "cuckoos=3"]),
            ({"cuckoos": "3"}, ["cuckoos=3", "double_pack"]),
        ],
    )
    def test_contradictions_name_both(self, options: dict[str, object], named: list[str]) -> None:
        with pytest.raises(OptionError) as caught:
            CAMBIO.options.parse(options)
        assert all(name in str(caught.value) for name in named)

    @pytest.mark.parametrize(
        ("options", "seats", "cuckoos", "cards"),
        [
            ({}, 7, 2, 40),
            ({}, 8, 1, 39),
            ({"cuckoos": "1"}, 2, 1, 39),
            ({"cuckoos": 2}, 15, 2, 40),
            ({"reveal": "cancel"}, 15, 2, 40),
            ({"reveal": "cancel", "cuckoos": "2"}, 15, 2, 40),
            ({"double_pack": True}, 30, 2, 78),
            ({"double_pack": True, "cuckoos": "3"}, 4, 3, 79),
        ],
    )
    def test_cuckoos(self, options: dict[str, object], seats: int, cuckoos: int, cards: int) -> None:
        rules = CAMBIO.options.parse(options).rules(seats)
        assert (rules.cuckoos, rules.pack.count(CUCKOO), len(rules.pack)) == (cuckoos, cuckoos, cards)

    @pytest.mark.parametrize(("seats", "options"), [(1, {}), (16, {}), (31, {"double_pack": True})])
    def test_seats(self, seats: int, options: dict[str, object]) -> None:
        with pytest.raises(SeatsError, match=f"not {seats}"):
            random_match(CAMBIO, seats, 1, **options)

    def test_the_ends_of_the_ranges(self) -> None:
        assert random_match(CAMBIO, 2, 1).asked
        assert random_match(CAMBIO, 15, 1).asked
        assert random_match(CAMBIO, 30, 1, double_pack=True).asked


def test_an_endless_set_ends() -> None:
    # Under rebirth the weaker of two may always say so, and then nobody ever falls.
    state = random_match(CAMBIO, 2, 1, rebirth=True, max_rounds=7)
    while state.asked:
        assert isinstance(state, CambioState)
        if len(state.asked) == 2:
            weaker = min(state.table.cards)
            moves = ["i lose" if card == weaker and seat not in state.table.strong else "pass"
                     for seat, card in enumerate(state.table.cards)]  # fmt: skip
            state.apply(moves)
        else:
            state.apply([state.default(state.asked[0])])
    lines = log(CAMBIO, state)
    assert lines[-1] == "the match is over: the set has lasted 7 rounds"
    assert state.outcome().scores == (24, 24)
