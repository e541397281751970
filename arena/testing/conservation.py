"""Conservation: what can neither be made nor lost."""

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.violation import Violation


@check
def check_counts(case: MatchCase) -> None:
    """Cards, dice, chips and whatever else `State.counts` names are as many after every step as at the start."""
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
