"""Non-interference: nothing that a seat is shown depends on what it may not know.

The checks play a twin of a match in which one hidden fact differs: two cards of a shuffle are swapped, a die shows
another face, another seat has chosen another move. The other seats' moves are those of the match, or any others
that give the seat the same log. As long as the seat's log is the same in both, its questions must be the same, byte
for byte: view, legal moves and their order, default move. If no moves of the others keep the logs the same, the line
at which they diverge has revealed something to the seat: it must be a line for that seat alone, or one that the
game's table marks with `reveals`.

Twins need only one thing of a game: that all its chance comes from `Chance`, by places.
"""

from random import Random

from arena.testing.case import MatchCase
from arena.testing.case_chance import CaseChance, ChanceChange, random_change
from arena.testing.contract_check import check
from arena.testing.counterfactual import Counterfactual
from arena.testing.seat_knowledge import SeatHistory, seat_history

VIEW_SEATS = 6
"""Number of seats whose views are compared with their logs."""
TWIN_SEATS = 2
"""Number of seats of a match for which twins are played."""
TWINS = 20
"""Number of twins for each seat with a change of chance; half as many with a change of a move."""


@check
def check_views_follow_the_log(case: MatchCase) -> None:
    """While the log tells a seat nothing new and it gives no answer, its view does not change."""
    for seat in Random(case.play).sample(range(case.seats), min(VIEW_SEATS, case.seats)):
        seat_history(case, seat)


@check
def check_hiding(case: MatchCase) -> None:
    """The questions and views of a seat, and every line that does not reveal, do not depend on what is hidden from it.

    Hidden cards, dice and choices are changed one at a time, and the match is played again.
    """
    rng = Random(case.play)
    for seat in rng.sample(range(case.seats), min(TWIN_SEATS, case.seats)):
        history = seat_history(case, seat)
        for _ in range(TWINS):
            _other_chance(history, rng)
        for _ in range(TWINS // 2):
            _other_choice(history, rng)


def _other_chance(history: SeatHistory, rng: Random) -> None:
    """Play a twin with another answer of chance."""
    played = history.case.played
    if not played.chance_requests:
        return
    number = rng.randrange(len(played.chance_requests))
    change = random_change(played.chance_requests[number], rng)
    if change is None:
        return
    # The request was made before the first boundary that counts it; the twin diverges from the match one step earlier.
    step = next(n for n, count in enumerate([*played.requests, number + 1]) if count > number) - 1
    if step < 0:
        _other_deal(history, change)
    elif step < len(played.moves):
        played.chance.change = change
        try:
            Counterfactual(history, played.states[step].copy(), step, str(change)).follow()
        finally:
            played.chance.change = None


def _other_deal(history: SeatHistory, change: ChanceChange) -> None:
    case = history.case
    counterfactual = Counterfactual(
        history, case.start(CaseChance(case.match_seed, case.opening.known, change)), 0, str(change)
    )
    if counterfactual.begin():
        counterfactual.follow()


def _other_choice(history: SeatHistory, rng: Random) -> None:
    """Play a twin in which another seat chooses another move; usually the log shows it at once."""
    played = history.case.played
    steps = [step for step, asked in enumerate(played.asked[:-1]) if asked != (history.seat,)]
    if not steps:
        return
    step = rng.choice(steps)
    state = played.states[step].copy()
    moves = list(played.moves[step])
    seat = rng.choice([seat for seat in state.asked if seat != history.seat])
    place = state.asked.index(seat)
    others = [move for move in state.legal(seat) if move != moves[place]]
    if others:
        moves[place] = rng.choice(others)
        what = f'seat {seat} plays "{moves[place]}" instead of "{played.moves[step][place]}" at step {step}'
        counterfactual = Counterfactual(history, state, step, what)
        if counterfactual.play(tuple(moves)):
            counterfactual.follow()
