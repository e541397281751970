"""The moves of a match that cost part of the chance to win, so that it shows beyond the error of the estimate.

The choices that come before the largest losses of the chance are compared with the other moves there, as
`weaknesses.costly_decisions` does for a bot: by deals that the seat could not tell from the real one, so that nobody
is blamed for what they could not know. The few that look costliest, each with the move that looks best, are estimated
again with playouts of their own, as what was chosen because it looks costly looks costlier than it is. These last
estimates alone are tested, one-sided, with Holm's method: the probability that a match has any move listed that cost
nothing is at most 5 %, for estimates that are approximately normal.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from arena.replay.replay import Replay
from arena.values.rows import StoredMatch
from arena_insight.analysis.match_chances import MatchChances
from arena_insight.weaknesses.candidates import Candidate, other_moves
from arena_insight.weaknesses.contest import Place, Sitting
from arena_insight.weaknesses.costly_decisions import candidates_for, find_costly_decisions
from arena_insight.weaknesses.decisions import Decision, decisions_of

PLAYOUTS = 32
"""Times the playouts of an estimated frame: how many are made in all. So they cost about as much as the chances."""

PER_GAP = 4
"""Choices between two estimated frames that are compared."""


def find_costly_moves(
    match: StoredMatch,
    chances: MatchChances,
    *,
    jobs: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Return the moves that cost part of the chance to win, the most costly first, as JSON values.

    chances: those of the match; where they are of a seat, only its own moves are looked at.
    jobs: processes that compute at the same time; the result does not depend on it.
    report: is told the playouts made, and how many there are.

    The values: `compared`, how many choices were compared, and `moves`, each with `frame` (of the perspective of the
    chances), `seat`, `move`, `better`, the chances after both, `cost`, and `error`, its standard error.
    """
    playouts = PLAYOUTS * chances.playouts
    frames = {frame.position: number for number, frame in enumerate(Replay(match).frames(chances.perspective))}
    candidates = _candidates(match, chances, frames, candidates_for(playouts))
    found = find_costly_decisions(
        candidates, playouts, seed=chances.seed, jobs=jobs, policy=chances.policy, progress=report
    )
    return {
        "compared": found.candidates,
        "moves": [
            {
                "frame": frames[costly.decision.position],
                "seat": costly.decision.sitting.place.seat,
                "move": costly.decision.move,
                "better": costly.better,
                "chance": round(costly.chance, 4),
                "better_chance": round(costly.better_chance, 4),
                "cost": round(costly.cost, 4),
                "error": round(costly.error, 4),
            }
            for costly in found.decisions
            if costly.is_separated
        ],
    }


def _candidates(match: StoredMatch, chances: MatchChances, frames: dict[int, int], count: int) -> list[Candidate]:
    """Return the choices that come before the largest losses of the chance of the seat that made them.

    frames: the numbers of the frames of the perspective, by position.
    count: how many are returned at most.
    """
    estimated = [point.frame for point in chances.frames]
    by_gap: dict[tuple[int, int], list[Decision]] = defaultdict(list)
    for decision in decisions_of(match, _sittings(match)):
        seat = decision.sitting.place.seat
        gap = bisect_right(estimated, frames.get(decision.position, -1)) - 1
        if chances.perspective in (None, seat) and 0 <= gap < len(estimated) - 1:
            by_gap[gap, seat].append(decision)
    losses = {
        (gap, seat): chances.frames[gap].estimate.chances[seat] - chances.frames[gap + 1].estimate.chances[seat]
        for gap, seat in by_gap
    }
    order = sorted(by_gap, key=lambda place: (-losses[place], place))
    chosen = [(place, decision) for place in order for decision in _spread(by_gap[place])][:count]
    candidates = [Candidate(decision, match, losses[place], 0.0) for place, decision in chosen]
    return [candidate._replace(others=other_moves(candidate)) for candidate in candidates]


def _spread(decisions: Sequence[Decision]) -> list[Decision]:
    """Return at most `PER_GAP` of some decisions, evenly spread."""
    count = min(PER_GAP, len(decisions))
    return [decisions[(number * len(decisions)) // count] for number in range(count)]


def _sittings(match: StoredMatch) -> dict[int, Sitting]:
    """Return the seats of a match, of which nothing but their numbers matters here."""
    row = match.row
    return {
        seat: Sitting(match.id, row.deal, Place((row.seed, len(row.seats)), seat), seat, 0, 0, (), 0, {}, False)
        for seat in range(len(row.seats))
    }
