"""The Elo of a bot and its versions from tournament to tournament."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from arena.ratings import fit_ranking
from arena.ratings.elo_history import HistoryEntry
from arena.results.pooled_ranking import TournamentPool
from arena.results.stored_tournament import StoredTournament
from arena.store import Store
from arena.values.rows import TournamentRow

TOURNAMENTS = 12
"""The largest number of tournaments in a history."""

READ = 1_000_000
"""The largest number of matches to rate, each counted once per ranking that includes it: a second or two."""

KEPT = 256
"""The largest number of cached histories."""


@dataclass(frozen=True, slots=True)
class EloHistory:
    """The Elo of a bot over time: rankings from all results up to the end of each tournament."""

    game: str
    steps: tuple[HistoryEntry, ...]
    """The rankings, oldest first."""
    names: tuple[str, ...]
    """The versions of the bot in them."""
    missing: str = ""
    """A sentence on which tournaments are left out and why; empty if none are."""


class EloHistoryCache:
    """A cache of Elo histories by their tournaments; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[object, ...], tuple[HistoryEntry, ...]] = {}
        self._lock = Lock()

    def of(self, tournaments: Sequence[TournamentRow], name: str) -> EloHistory | str:
        """Return the history of a bot and its versions, or a sentence that says why there is none.

        tournaments: newest first. Only finished ones with the game, options and rules of the newest finished one count.
        """
        base = _base(name)
        over = [
            tournament
            for tournament in tournaments
            if tournament.finished is not None and any(_base(entrant.name) == base for entrant in tournament.entrants)
        ]
        alike = [tournament for tournament in over if _rules(tournament) == _rules(over[0])]
        chosen: dict[int, TournamentRow] = {}
        counts: list[tuple[int, int]] = []
        missing: list[tuple[int, int]] = []
        for tournament in alike:
            if waiting := StoredTournament(self._store, tournament).count_unread():
                missing.append((tournament.id, waiting))
                continue
            longer = [*counts, (tournament.key, self._store.count(tournament.id))]
            # The oldest is read for every ranking, the newest for the last one alone.
            if len(longer) > TOURNAMENTS or sum(n * count for n, (_, count) in enumerate(longer, 1)) > READ:
                break
            if longer[-1][1]:
                counts, chosen[tournament.key] = longer, tournament
        if len(counts) < 2:
            return not_added_up(missing) or _why(over, alike)
        pool = TournamentPool.of(StoredTournament(self._store, row) for row in chosen.values())
        with self._lock:
            key = (
                self._store.accounts.closed(),
                *((event, count, self._store.decision_count(chosen[event].id)) for event, count in counts),
            )
            if key not in self._kept:
                history = pool.history(lambda source: fit_ranking(source.tally()))
                if len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = tuple(
                    HistoryEntry(tournament.id, tournament.row.created, table) for tournament, table in history
                )
            steps = self._kept[key]
        names = {
            title: None
            for tournament, titles in zip(pool.tournaments, pool.names, strict=True)
            for entrant, title in zip(tournament.row.entrants, titles, strict=True)
            if _base(entrant.name) == base
        }
        rated = {bot for step in steps for bot in step.rows}
        shown = tuple(title for title in names if title in rated)
        return EloHistory(over[0].game, steps, shown, not_added_up(missing)) if shown else _why(over, ())


def not_added_up(missing: Sequence[tuple[int, int]]) -> str:
    """Return a sentence on tournaments that are left out.

    missing: their ids and numbers of unsummarised matches.
    """
    if not missing:
        return ""
    numbers = [str(number) for number, _ in missing]
    which = f"Tournament {numbers[0]} is" if len(missing) == 1 else f"Tournaments {', '.join(numbers)} are"
    return (
        f"{which} left out: {sum(matches for _, matches in missing):,} matches are not summarised yet. "
        f"The organiser does this with `arena db rebuild {' '.join(numbers)}`."
    )


def _why(over: Sequence[TournamentRow], alike: Sequence[TournamentRow]) -> str:
    """Say why there is no history.

    over: the finished tournaments of the bot.
    alike: those that can be compared with the newest.
    """
    needs = "The chart needs two finished tournaments with matches"
    match len(over), len(alike):
        case 0, _:
            return f"{needs}; this bot has none."
        case 1, _:
            return f"{needs}; this bot has one."
        case number, 1:
            return (
                f"{needs} and equal game, options and rules; "
                f"the newest of the {number} of this bot differs from all others."
            )
        case _, number if number > 1:
            return (
                f"The newest {number} comparable tournaments have no matches, or too many to rate for a page. "
                f"The organiser can use `arena ranking --game {over[0].game} --history`."
            )
    return f"{needs}; no result of this bot can be rated."


def _rules(tournament: TournamentRow) -> tuple[object, ...]:
    """Return what must be equal to rate results together."""
    return tournament.game, tournament.options, tournament.behaviour


def _base(name: str) -> str:
    """Return the name of a bot without its version."""
    return name.partition("@")[0]
