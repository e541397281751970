"""Non-interference: nothing that a seat is shown depends on what it may not know.

A twin of a match is played in which one hidden thing is different: two cards of a shuffle have changed places, a
die shows another face, another seat has chosen otherwise. The other seats' moves are those of the match, or
whatever else keeps the seat's story the same. As long as the log has told it the same in both, what is put to it
must be the same, byte for byte: view, legal moves and their order, default move. And where no moves of
the others make the stories go on alike, the line at which they part has told the seat something new: it
must be a line for that seat alone, or one that the game's table marks with `reveals`.

Twins need nothing of the game but that all its chance comes from `Chance`, by places.
"""

from random import Random

from arena.testing.case import MatchCase
from arena.testing.case_chance import CaseChance, ChanceChange, changed
from arena.testing.contract_check import check
from arena.testing.counterfactual import Counterfactual
from arena.testing.seat_knowledge import SeatHistory, seat_history

LOOKED = 6
"""How many seats' views are held against their logs."""
SEATS = 2
"""How many seats of a match are looked over the shoulder."""
TWINS = 20
"""How many twins are played for each, by a change of chance; and half as many by a change of a move."""


@check
def check_views_follow_the_log(case: MatchCase) -> None:
    """While the log tells a seat nothing new and it gives no answer, its view does not change."""
    for seat in Random(case.play).sample(range(case.seats), min(LOOKED, case.seats)):
        seat_history(case, seat)


@check
def check_hiding(case: MatchCase) -> None:
    """What a seat is asked and shown, and every line that does not reveal, is the same whatever is hidden from it.

    The hidden cards, dice and choices are changed one at a time, and the match is played again.
    """
    rng = Random(case.play)
    for seat in rng.sample(range(case.seats), min(SEATS, case.seats)):
        told = seat_history(case, seat)
        for _ in range(TWINS):
            _other_chance(told, rng)
        for _ in range(TWINS // 2):
            _other_choice(told, rng)


def _other_chance(told: SeatHistory, rng: Random) -> None:
    """Play a twin in which one answer of chance is different."""
    played = told.case.played
    if not played.asked_for:
        return
    number = rng.randrange(len(played.asked_for))
    change = changed(played.asked_for[number], rng)
    if change is None:
        return
    # The request was made before the first boundary that counts it; the twin parts from the match one step earlier.
    step = next(n for n, count in enumerate([*played.requests, number + 1]) if count > number) - 1
    if step < 0:
        _from_the_deal(told, change)
    elif step < len(played.moves):
        played.dealer.change = change
        try:
            Counterfactual(told, played.states[step].copy(), step, str(change)).follow()
        finally:
            played.dealer.change = None


def _from_the_deal(told: SeatHistory, change: ChanceChange) -> None:
    case = told.case
    counterfactual = Counterfactual(
        told, case.start(CaseChance(case.match_seed, case.opening.known, change)), 0, str(change)
    )
    if counterfactual.begin():
        counterfactual.follow()


def _other_choice(told: SeatHistory, rng: Random) -> None:
    """Play a twin in which another seat has chosen otherwise; as a rule the log tells that at once."""
    played = told.case.played
    steps = [step for step, asked in enumerate(played.asked[:-1]) if asked != (told.seat,)]
    if not steps:
        return
    step = rng.choice(steps)
    state = played.states[step].copy()
    moves = list(played.moves[step])
    seat = rng.choice([seat for seat in state.asked if seat != told.seat])
    place = state.asked.index(seat)
    others = [move for move in state.legal(seat) if move != moves[place]]
    if others:
        moves[place] = rng.choice(others)
        what = f'seat {seat} plays "{moves[place]}" instead of "{played.moves[step][place]}" at step {step}'
        counterfactual = Counterfactual(told, state, step, what)
        if counterfactual.play(tuple(moves)):
            counterfactual.follow()
