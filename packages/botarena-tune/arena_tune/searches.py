"""The searches by name."""

from arena_tune.course import Search
from arena_tune.plan import SPSA, TunePlan
from arena_tune.spsa import Spsa


def new_search(plan: TunePlan, secret: bytes) -> Search:
    """Return the search of a run, before its first iteration."""
    assert plan.search == SPSA
    return Spsa(plan.parameters, plan.iterations, plan.rate, secret)
