"""The analysis of a match, its chances to win and the moves that cost much, from the database or else computed."""

from collections.abc import Callable
from typing import Any

from arena.record.played_rules import rules
from arena.run.sample_policies import best_policy, check_policy
from arena.store import Store
from arena.values.rows import StoredMatch
from arena_insight.analysis.match_chances import analyse
from arena_insight.analysis.playouts import PLAYOUTS
from arena_insight.costly_moves import find_costly_moves
from arena_insight.stored_chances import ChancesKey, StoredChances, is_whole

CHOICES = 20
"""What finding costly moves counts for in what is told of the progress, in frames."""


def analysis_values(
    match: StoredMatch,
    perspective: int | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str | None = None,
    jobs: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Compute the chances throughout a match and the moves that cost much; return them as JSON values.

    The arguments are those of `arena_insight.analysis.match_chances.analyse`, and so are the errors. The values are
    those of `MatchChances.to_json`, and `costly`: those of `find_costly_moves`.
    """
    frames = 0

    def tell_frames(done: int, total: int) -> None:
        nonlocal frames
        frames = total
        report(done, total + CHOICES)

    def tell_playouts(done: int, total: int) -> None:
        report(frames + CHOICES * min(done, total) // total, frames + CHOICES)

    chances = analyse(match, perspective, playouts=playouts, seed=seed, policy=policy, jobs=jobs, report=tell_frames)
    return chances.to_json() | {"costly": find_costly_moves(match, chances, jobs=jobs, report=tell_playouts)}


def stored_analysis(
    store: Store,
    match: StoredMatch,
    perspective: int | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str | None = None,
    jobs: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Return the analysis of a match, as `analysis_values` does; its arguments and errors, and StoreError."""
    policy = best_policy(match.event.game) if policy is None else check_policy(policy, match.event.game)
    key = ChancesKey(perspective, rules(match).game.behaviour, policy, playouts)
    chances = StoredChances(store)
    stored = chances.find(match, key, seed)
    if stored is not None and is_whole(stored):
        return stored
    values = analysis_values(match, perspective, playouts=playouts, seed=seed, policy=policy, jobs=jobs, report=report)
    chances.save(match, key, values)
    return values
