"""The end: every match ends, stays over, and its scores and ranks agree."""

import dataclasses
from typing import Any

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.policies import policy
from arena.testing.violation import Violation
from referee.engine.errors import OptionError
from referee.engine.game import State

LONGEST = 20_000
"""A match with more steps counts as endless."""


@check
def check_end(case: MatchCase) -> None:
    """Every match ends, also under the lowest value of each option that bounds it (`max_...`)."""
    _check_end(case, case.rules)
    if case.scenario is None:
        for bound in dataclasses.fields(case.rules):
            if bound.name.startswith("max_") and bound.metadata.get("low") is not None:
                try:
                    rules = case.game.options.parse({**case.options, bound.name: bound.metadata["low"]})
                except OptionError:
                    continue
                _check_end(case, rules)


def _check_end(case: MatchCase, rules: object) -> None:
    state = case.game.start(rules, case.seats, case.new_chance())
    choose = policy(case.play)
    for _ in range(LONGEST):
        if not state.asked:
            break
        state.apply([choose(state, seat) for seat in state.asked])
    else:
        options = ", ".join(f"{name}={value}" for name, value in rules.given().items())  # type: ignore[attr-defined]
        raise Violation(f"it has not ended after {LONGEST} steps" + (f" under {options}" if options else ""))
    for seat in range(case.seats):
        if legal := state.legal(seat):
            raise Violation(f"the match is over, and seat {seat} is offered {legal}")
    _check_agreement(case, state)


@check
def check_outcome(case: MatchCase) -> None:
    """At every moment each seat has a score and a rank, ties share a rank, and team mates share both."""
    for step, state in enumerate(case.played.states):
        before = len(state.events)
        outcome = state.outcome()
        if outcome != state.outcome() or len(state.events) != before:
            raise Violation("`outcome` changes the standings, or the log", step)
        try:
            _check_shape(case, outcome)
        except Violation as violation:
            raise Violation(violation.what, step) from None


def _check_shape(case: MatchCase, outcome: Any) -> None:

    for name, values in (("scores", outcome.scores), ("ranks", outcome.ranks)):
        if not isinstance(values, tuple) or len(values) != case.seats or not all(type(v) is int for v in values):
            raise Violation(f"{name} must be a tuple of {case.seats} whole numbers, not {values!r}")
    teams = case.game.teams(case.rules, case.seats)
    if len(teams) != case.seats:
        raise Violation(f"`teams` returns the teams of {len(teams)} seats, not of {case.seats}")
    for seat, team in enumerate(teams):
        mate = teams.index(team)
        if outcome.ranks[seat] != outcome.ranks[mate] or outcome.scores[seat] != outcome.scores[mate]:
            raise Violation(f"seats {mate} and {seat} are one team and have {outcome}")
    ranks = dict(zip(teams, outcome.ranks, strict=True)).values()
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise Violation(
            f"{outcome.ranks} are not ranks: each must be one more than the number of seats (or teams) before it "
            "(1, 2, 2, 4)"
        )


def _check_agreement(case: MatchCase, state: State) -> None:
    """Check that at the end better ranks have better scores: higher ones, or lower ones for all seats."""
    outcome = state.outcome()
    _check_shape(case, outcome)
    pairs = list(zip(outcome.ranks, outcome.scores, strict=True))
    higher = any(rank < other and score > worse for rank, score in pairs for other, worse in pairs)
    lower = any(rank < other and score < worse for rank, score in pairs for other, worse in pairs)
    if higher and lower:
        raise Violation(f"scores and ranks contradict each other: {outcome}")
