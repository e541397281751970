"""Conservation: cards, dice and chips are neither created nor lost."""

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.violation import Violation


@check
def check_counts(case: MatchCase) -> None:
    """The counts of cards, dice, chips and others in `State.counts` are the same after every step as at the start."""
    states = case.played.states
    first = dict(states[0].counts())
    for step, state in enumerate(states[1:]):
        now = dict(state.counts())
        wrong = [
            f"{name}: {first.get(name, 0)} at the start, {now.get(name, 0)} now"
            for name in sorted(first.keys() | now.keys())
            if first.get(name, 0) != now.get(name, 0)
        ]
        if wrong:
            raise Violation("; ".join(wrong), step)
