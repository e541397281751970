"""How far a stored tournament is."""

from arena.store import Store
from arena.store.rows import TournamentRow


def state_of(store: Store, tournament: TournamentRow) -> str:
    """Return "finished", "awaits entropy", "paused" or "unfinished"; whether somebody plays it now is not known."""
    if tournament.finished:
        return "finished"
    if tournament.awaited_entropy:
        return "awaits entropy"
    kinds = [entry.kind for entry in store.decisions(tournament.id) if entry.kind in ("pause", "resume")]
    return "paused" if kinds[-1:] == ["pause"] else "unfinished"
