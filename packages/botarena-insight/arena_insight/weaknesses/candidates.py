"""Choose the decisions of a bot that may have cost most, before any playouts: those after which it lost points."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from arena.record.played_rules import steps
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from arena_insight.weaknesses.choice import Choice, classifier
from arena_insight.weaknesses.contest import Contest, Sitting
from arena_insight.weaknesses.decisions import Decision, decisions_of
from arena_insight.weaknesses.differences import ChoiceComparison
from referee.engine.errors import EngineError

LOST_SEATS = 40
"""Seats in which the bot lost most that are looked at."""

PER_SEAT = 3
"""Decisions of one match that become candidates."""

PER_CLASS = 4
"""Of this many candidates at most one has the same question, position and action."""


MOST_MOVES = 3
"""Where there are more moves, one of each kind is compared with the played one."""


class Candidate(NamedTuple):
    """A decision that may have cost much."""

    decision: Decision
    match: StoredMatch
    """The record of the match in which it was made."""
    loss: float
    """The score that the seat lost until it decided again."""
    standing: float
    """The share of the other seats that were not ahead of it."""
    others: Sequence[str] = ()
    """The moves to compare with the played one."""


def choose_candidates(
    contest: Contest,
    choices: ChoiceComparison | None,
    load: Callable[[Sequence[int]], Iterable[StoredMatch]],
    count: int,
) -> list[Candidate]:
    """Return decisions that may have cost much, at most `count`.

    They are of the seats in which the bot made fewest points compared with others. First come those after which the
    seat lost score, of these those that better bots decide otherwise and where nothing was lost yet, then those after
    which it lost most.

    load: returns stored matches by their ids.
    """
    lost = {sitting.match: sitting for sitting in reversed(_lost_sittings(contest))}
    found: list[Candidate] = []
    for match in load(list(lost)):
        try:
            found += _decisions(match, lost[match.id])
        except (EngineError, ArenaError):  # the installed rules cannot replay it
            continue
    weight = _class_costs(choices)

    def order(candidate: Candidate) -> tuple[bool, float, float, int, int]:
        decision = candidate.decision
        cost = weight.get(decision.choice, 0.0) * candidate.standing
        return candidate.loss <= 0, -cost, -candidate.loss * candidate.standing, candidate.match.id, decision.ply

    chosen: list[Candidate] = []
    per_match, per_class = Counter[int](), Counter[Choice]()
    for candidate in sorted(found, key=order):
        match_id, choice = candidate.match.id, candidate.decision.choice
        if per_match[match_id] < PER_SEAT and per_class[choice] < max(1, count // PER_CLASS):
            per_match[match_id] += 1
            per_class[choice] += 1
            chosen.append(candidate)
    return [candidate._replace(others=other_moves(candidate)) for candidate in chosen[:count]]


def _lost_sittings(contest: Contest) -> list[Sitting]:
    """Return the seats in which the bot made fewer points than others, those with the largest difference first."""

    def difference(sitting: Sitting) -> float:
        others = contest.others.get(sitting.place, ())
        return sitting.points - (sum(other.points for other in others) / len(others) if others else 0.5)

    lost = [sitting for sitting in contest.own if difference(sitting) < 0]
    return sorted(lost, key=lambda sitting: (difference(sitting), sitting.match))[:LOST_SEATS]


def _decisions(match: StoredMatch, sitting: Sitting) -> list[Candidate]:
    """Return the decisions of a seat, with the score that it lost after each."""
    seat = sitting.place.seat
    scores = [state.outcome().scores for state, _ in steps(match)]
    decisions = list(decisions_of(match, {seat: sitting}))
    following = [*(decision.position for decision in decisions[1:]), len(scores) - 1]
    return [
        Candidate(
            decision,
            match,
            scores[decision.position][seat] - scores[after][seat],
            _standing(scores[decision.position], seat),
        )
        for decision, after in zip(decisions, following, strict=True)
    ]


def _standing(scores: Sequence[int], seat: int) -> float:
    """Return the share of the other seats that are not ahead of a seat."""
    return (sum(score <= scores[seat] for score in scores) - 1) / (len(scores) - 1)


def other_moves(candidate: Candidate) -> list[str]:
    """Return the moves to compare with the played one: all, or the first of each kind where they are many."""
    decision, match = candidate.decision, candidate.match
    moves = [move for move in decision.legal if move != decision.move]
    if len(moves) < MOST_MOVES:
        return moves
    state, _ = next(islice(steps(match), decision.position, None))
    view = state.view(decision.sitting.place.seat)
    classify = classifier(match.event.game)
    first: dict[str, str] = {}
    for move in moves:
        first.setdefault(classify(view, decision.legal, move).action, move)
    return list(first.values())


def _class_costs(choices: ChoiceComparison | None) -> Mapping[Choice, float]:
    """Return the costs of the differences of choice, for the actions that the bot chooses more often."""
    if choices is None:
        return {}
    return {
        Choice(
            difference.question,
            difference.position,
            (difference.side if difference.is_excess else difference.opposite).action,
        ): difference.cost
        for difference in choices.differences
    }
