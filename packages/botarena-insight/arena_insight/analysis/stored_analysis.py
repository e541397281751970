"""The chances throughout a match from the database, or else computed and stored there."""

from collections.abc import Callable
from typing import Any

from arena.record.played_rules import rules
from arena.run.sample_policies import best_policy, check_policy
from arena.store import Store
from arena.values.rows import StoredMatch
from arena_insight.analysis.match_chances import analyse
from arena_insight.analysis.playouts import PLAYOUTS
from arena_insight.stored_chances import ChancesKey, StoredChances


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
    """Return the chances throughout a match, as `arena_insight.analysis.match_chances.MatchChances.to_json` does.

    The arguments are those of `arena_insight.analysis.match_chances.analyse`, and so are the errors; StoreError, too.
    """
    policy = best_policy(match.event.game) if policy is None else check_policy(policy, match.event.game)
    key = ChancesKey(perspective, rules(match).game.behaviour, policy, playouts)
    chances = StoredChances(store)
    stored = chances.find(match, key, seed)
    if stored is not None:
        return stored
    values = analyse(
        match, perspective, playouts=playouts, seed=seed, policy=policy, jobs=jobs, report=report
    ).to_json()
    chances.save(match, key, values)
    return values
