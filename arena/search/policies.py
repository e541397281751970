"""Who chooses in playouts: nobody, one policy for all seats, or one for each seat."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Literal

from arena.positions import Policy

LEARNT: Final = "learnt"
"""The policy that chooses what has done well in the playouts before."""

RANDOM: Final = "random"
"""The policy that chooses any legal move, all with the same probability."""

Policies = Policy | Sequence[Policy | None] | Literal["learnt", "random"]
"""One policy for all seats, or one for each; a seat whose policy is None chooses by what the search has learnt.

"learnt": so do all seats; "random": all play any legal move.
"""


class PolicyError(Exception):
    """A policy raised an exception or chose a move that is not legal; the sentence names it."""


def of_seats(policies: Policies, seats: int) -> tuple[Policy | None, ...]:
    """Return the policy of each seat, each of which raises PolicyError where it fails; () if there is none.

    Raises ValueError where the number of policies is not that of the seats.
    """
    if isinstance(policies, str):
        if policies not in (LEARNT, RANDOM):
            raise ValueError(f'the policy "{policies}": give a function, "learnt" or "random"')
        return ()
    if callable(policies):
        return (guarded(policies),) * seats
    if len(policies) != seats:
        raise ValueError(f"{len(policies)} policies for {seats} seats: give one for each seat, or a single one for all")
    if not any(policies):
        return ()
    by_id: dict[int, Policy] = {id(policy): guarded(policy) for policy in policies if policy is not None}
    return tuple([None if policy is None else by_id[id(policy)] for policy in policies])


def guarded(policy: Policy) -> Policy:
    """Return a policy that raises PolicyError where another one fails."""

    def choose(view: Any, legal: Sequence[str], rng: Random) -> str:
        try:
            move = policy(view, legal, rng)
        except Exception as error:
            raise PolicyError(
                f"the policy {name(policy)} raised {type(error).__name__}{_where(error)}: {error}"
            ) from error
        if move not in legal:
            raise PolicyError(
                f"the policy {name(policy)} chose {move!r}, which is not one of the legal moves {', '.join(legal)}"
            )
        return move

    return choose


def name(policy: Callable[..., Any]) -> str:
    """Return how messages name a policy: as its definition does, or by its class."""
    return str(getattr(policy, "__qualname__", type(policy).__qualname__))


def _where(error: Exception) -> str:
    """Return in which line the exception was raised: the last one that Python knows."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" in {trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}" if trace else ""
