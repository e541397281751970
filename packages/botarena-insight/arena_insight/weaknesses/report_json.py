"""The report on a bot as JSON values. Points and frequencies are shares, from 0 to 1."""

from typing import Any

from arena_insight.weaknesses.contest import Contest, Interval
from arena_insight.weaknesses.costly_decisions import CostlyDecisions
from arena_insight.weaknesses.decisions import Decision
from arena_insight.weaknesses.differences import ChoiceDifference, Side
from arena_insight.weaknesses.report import WeaknessReport
from arena_insight.weaknesses.same_deals import DealResult


def report_values(report: WeaknessReport) -> dict[str, Any]:
    """Return the report as JSON values."""
    contest, choices = report.contest, report.choices
    return {
        "bot": contest.names[contest.bot],
        "game": contest.game,
        "compared_with": sorted(contest.names[bot] for bot in contest.better),
        "is_best": contest.is_best,
        "choices": None
        if choices is None
        else {
            "matches": choices.matches,
            "unreadable": choices.unreadable,
            "decisions": choices.own,
            "decisions_of_better": choices.better,
            "tests": choices.tests,
            "differences": [_difference(contest, difference) for difference in choices.differences],
        },
        "deals": _deals(report),
        "costly": None if report.costly is None else _costly(contest, report.costly),
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {"mean": round(interval.mean, 6), "bar": None if interval.ci95 is None else round(interval.ci95, 6)}


def _difference(contest: Contest, difference: ChoiceDifference) -> dict[str, Any]:
    counterexample = difference.counterexample
    return {
        "question": difference.question,
        "position": difference.position,
        "action": _side(difference.side),
        "opposite": _side(difference.opposite),
        "chance": difference.p_value,
        "per_match": round(difference.per_match, 6),
        "shortfall": _interval(difference.shortfall),
        "cost": round(difference.cost, 6),
        "examples": [_moment(contest, example) for example in difference.examples],
        "counterexample": None if counterexample is None else _moment(contest, counterexample),
    }


def _side(side: Side) -> dict[str, Any]:
    frequency = side.frequency
    return {
        "action": side.action,
        "frequency": round(frequency.own, 6),
        "count": frequency.own_count,
        "decisions": frequency.own_decisions,
        "frequency_of_better": round(frequency.other, 6),
        "count_of_better": frequency.other_count,
        "decisions_of_better": frequency.other_decisions,
        "error": round(frequency.error, 6),
    }


def _moment(contest: Contest, decision: Decision) -> dict[str, Any]:
    sitting = decision.sitting
    return {
        "match": sitting.match,
        "move": decision.position,
        "seat": sitting.place.seat,
        "bot": contest.names[sitting.bot],
        "played": decision.move,
    }


def _costly(contest: Contest, costly: CostlyDecisions) -> dict[str, Any]:
    return {
        "candidates": costly.candidates,
        "playouts": costly.playouts,
        "decisions": [
            {
                **_moment(contest, mistake.decision),
                "question": mistake.decision.choice.question,
                "position": mistake.decision.choice.position,
                "better": mistake.better,
                "chance_to_win": round(mistake.chance, 6),
                "chance_of_better": round(mistake.better_chance, 6),
                "cost": round(mistake.cost, 6),
                "error": round(mistake.error, 6),
                "chance": mistake.p_value,
                "separated": mistake.is_separated,
            }
            for mistake in costly.decisions
        ],
    }


def _deals(report: WeaknessReport) -> dict[str, Any]:
    contest, deals = report.contest, report.deals
    return {
        "seats_held": deals.sittings,
        "compared": deals.compared,
        "difference": _interval(deals.difference),
        "without_faults": _interval(deals.without_faults),
        "worst": [_deal(contest, deal) for deal in deals.worst],
        "seats": [
            {
                "seat": seat.seat,
                "compared": seat.sittings,
                "points": round(seat.points, 6),
                "others_points": round(seat.others_points, 6),
                "difference": _interval(seat.difference),
            }
            for seat in deals.seats
        ],
        "opponents": [
            {
                "bot": contest.names[opponent.bot],
                "matches": opponent.matches,
                "points": round(opponent.points, 6),
                "expected": None if opponent.expected is None else round(opponent.expected, 6),
                "beyond": _interval(opponent.beyond),
            }
            for opponent in deals.opponents
        ],
        "faults": [
            {
                "kind": fault.kind,
                "faults": fault.faults,
                "matches": fault.sittings,
                "forfeits": fault.forfeits,
                "difference": _interval(fault.difference),
            }
            for fault in deals.faults
        ],
    }


def _deal(contest: Contest, result: DealResult) -> dict[str, Any]:
    sitting = result.sitting
    return {
        "match": sitting.match,
        "deal": sitting.deal,
        "seat": sitting.place.seat,
        "score": sitting.score,
        "points": round(sitting.points, 6),
        "others": result.others,
        "others_score": round(result.others_score, 6),
        "others_points": round(result.others_points, 6),
        "best": {
            "match": result.best.match,
            "bot": contest.names[result.best.bot],
            "score": result.best.score,
            "points": round(result.best.points, 6),
        },
    }
