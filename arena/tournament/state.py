"""How far a stored tournament is."""

from arena.store import Store
from arena.store.rows import Tournament


def state_of(store: Store, tournament: Tournament) -> str:
    """Return "finished" or "unfinished"; whether somebody plays it at the moment is not known."""
    return "finished" if tournament.finished else "unfinished"
