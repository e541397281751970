"""How the Elo of a bot and its versions grew from one tournament to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from arena.ratings import fit_ranking
from arena.ratings.elo_history import HistoryEntry
from arena.store import Store
from arena.store.rows import Tournament
from arena.tournament.results.pooled_ranking import Joint
from arena.tournament.results.summaries import unsummed

TOURNAMENTS = 12
"""So many are looked at, at most."""

READ = 1_000_000
"""Matches that may be rated for it, each as often as there are rankings that it is part of: a second or two."""

KEPT = 256
"""So many histories are kept."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Rankings of all results until the end of each tournament, and by what names a bot's versions stand in them.

    missing: what is not in them, and what to do about it; otherwise empty.
    """

    game: str
    steps: tuple[HistoryEntry, ...]
    names: tuple[str, ...]
    missing: str = ""


class Growths:
    """How bots grew, by the tournaments that tell it; safe to be asked from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[tuple[int, int, int], ...], tuple[HistoryEntry, ...]] = {}
        self._lock = Lock()

    def of(self, tournaments: Sequence[Tournament], name: str) -> Growth | str:
        """Return how a bot and its versions grew; where fewer than two tournaments tell, a sentence that says why.

        tournaments: the newest first. Those count that are over and agree with the newest of them in game, options and
        rules.
        """
        base = _base(name)
        over = [
            each
            for each in tournaments
            if each.finished is not None and any(_base(entrant.name) == base for entrant in each.entrants)
        ]
        alike = [each for each in over if _rules(each) == _rules(over[0])]
        chosen: dict[int, Tournament] = {}
        counts: list[tuple[int, int]] = []
        missing: list[tuple[int, int]] = []
        for each in alike:
            if waiting := unsummed(self._store, each):
                missing.append((each.id or 0, waiting))
                continue
            longer = [*counts, (each.event, self._store.count(each.id or 0))]
            # The oldest is read for every ranking, the newest for the last one alone.
            if len(longer) > TOURNAMENTS or sum(n * count for n, (_, count) in enumerate(longer, 1)) > READ:
                break
            if longer[-1][1]:
                counts, chosen[each.event] = longer, each
        if len(counts) < 2:
            return not_added_up(missing) or _why(over, alike)
        joint = Joint.of(chosen.values())
        with self._lock:
            key = tuple((event, count, self._store.decision_count(chosen[event].id or 0)) for event, count in counts)
            if key not in self._kept:
                history = joint.history(self._store, lambda source: fit_ranking(source.tally()))
                if len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = tuple(HistoryEntry(each.id or 0, each.created, table) for each, table in history)
            steps = self._kept[key]
        names = {
            title: None
            for each, titles in zip(joint.tournaments, joint.names, strict=True)
            for entrant, title in zip(each.entrants, titles, strict=True)
            if _base(entrant.name) == base
        }
        rated = {bot for step in steps for bot in step.rows}
        shown = tuple(title for title in names if title in rated)
        return Growth(over[0].game, steps, shown, not_added_up(missing)) if shown else _why(over, ())


def not_added_up(missing: Sequence[tuple[int, int]]) -> str:
    """Say what is left out as it would take long to be read; nothing of nothing. missing: tournaments, and matches."""
    if not missing:
        return ""
    numbers = [str(number) for number, _ in missing]
    which = f"Tournament {numbers[0]} is" if len(missing) == 1 else f"Tournaments {', '.join(numbers)} are"
    return (
        f"{which} left out until {sum(matches for _, matches in missing):,} matches are added up, as after an upgrade: "
        f"`arena db rebuild {' '.join(numbers)}` does it."
    )


def _why(over: Sequence[Tournament], alike: Sequence[Tournament]) -> str:
    """Say why nothing can be drawn. over: the tournaments of the bot. alike: those that agree with the newest."""
    needs = "It is drawn from the second tournament on that is over and has matches"
    match len(over), len(alike):
        case 0, _:
            return f"{needs}; none of this bot's is over."
        case 1, _:
            return f"{needs}; of this bot's one is over."
        case number, 1:
            return f"{needs}: the newest of the {number} that are over agrees with no other in game, options and rules."
        case _, number if number > 1:
            return (
                f"The newest {number} tournaments that agree have too many matches to be rated together on a page, "
                f"or none: arena ranking --game {over[0].game} --history reads them all."
            )
    return f"{needs}; none of this bot's results can be rated."


def _rules(tournament: Tournament) -> tuple[object, ...]:
    """Return what must be equal for results to be rated together."""
    return tournament.game, tournament.options, tournament.behaviour


def _base(name: str) -> str:
    """Return the name of a bot without its version."""
    return name.partition("@")[0]
