"""How far a stored tournament is."""

from arena.store import Store
from arena.store.rows import Tournament


def state_of(store: Store, tournament: Tournament) -> str:
    """Return "finished", "awaits entropy", "paused" or "unfinished"; whether somebody plays it now is not known."""
    assert tournament.id is not None
    if tournament.finished:
        return "finished"
    if tournament.awaited_entropy:
        return "awaits entropy"
    kinds = [entry.kind for entry in store.decisions(tournament.id) if entry.kind in ("pause", "resume")]
    return "paused" if kinds[-1:] == ["pause"] else "unfinished"
