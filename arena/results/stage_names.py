"""What the stages of tournaments are called, for lists of matches."""

from collections import OrderedDict
from threading import Lock

from arena.language.message import Message
from arena.results.stored_tournament import StoredTournament
from arena.store import Store

KEPT = 256
"""The number of tournaments whose stages are remembered."""


class StageNames:
    """The names of stages, each found once, as a stage that has begun keeps its name; several threads may ask.

    store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[int, tuple[int, dict[int, Message | None]]] = OrderedDict()
        self._lock = Lock()

    def of(self, tournament: int | None, deal: int) -> Message | None:
        """Return what the stage of a match is called; None in formats without stages.

        tournament: its number; None for a match of none.
        deal: the number of the deal of the match.
        """
        if tournament is None:
            return None
        with self._lock:
            if tournament not in self._known:
                stored = StoredTournament.load(self._store, tournament)
                self._known[tournament] = (stored.row.rounds if stored.has_stages else 0), {}
            self._known.move_to_end(tournament)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            rounds, names = self._known[tournament]
            if not rounds:
                return None
            stage = deal // rounds
            if stage not in names:
                names[stage] = StoredTournament.load(self._store, tournament).stage_of(deal)
            return names[stage]
