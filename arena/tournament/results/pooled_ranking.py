"""One ranking of several tournaments of a game, and how it grew from one to the next."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from arena.ratings import Ranking, Result, Tally
from arena.ratings.source import ResultSource
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.errors import PlanError
from arena.tournament.results.standings import (
    Standings,
    conduct,
    in_game_units,
    rated,
    source,
)
from arena.tournament.results.summaries import Summary, summary
from arena.tournament.results.team_results import team_result

_SHOWN_HASH = 7


@dataclass(frozen=True, slots=True)
class Joint:
    """Several tournaments of one game, to be rated together.

    tournaments: in the order in which they began. names: the names of their bots, by tournament and place in its field;
    versions of a bot that differ have names that differ, unless they are rated as one.
    """

    tournaments: tuple[TournamentRow, ...]
    names: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, tournaments: Iterable[TournamentRow], *, together: bool = False) -> "Joint":
        """Return them by their numbers. together: all versions of a bot count as one bot.

        Raises PlanError where they do not measure the same thing: another game, other options, other rules.
        """
        ordered = tuple(sorted(tournaments, key=lambda tournament: tournament.key))
        first = ordered[0]
        for other in ordered[1:]:
            for what, one, two in (
                ("games", first.game, other.game),
                ("options", first.options, other.options),
                ("versions of the rules", first.behaviour, other.behaviour),
            ):
                if one != two:
                    raise PlanError(
                        f"tournaments {first.id} and {other.id} have different {what} ({_told(one)}; {_told(two)}), so "
                        "their results do not go into one ranking: name tournaments that agree"
                    )
        fields = [tournament.names for tournament in ordered]
        return cls(ordered, tuple(map(tuple, fields)) if together else tuple(_versions(ordered)))

    def results(self, store: Store, count: int | None = None) -> Iterator[Result]:
        """Yield the results of the first `count` tournaments, of all without it.

        Deals that follow from the same secret are the same deal, in whichever tournament they were played.
        """
        deals = _numbering()
        for tournament, names in list(zip(self.tournaments, self.names, strict=True))[:count]:
            yield from _results(store, tournament, names, deals)

    def _add_up(self, store: Store, tally: Tally) -> Iterator[Summary]:
        """Add what counts of one tournament after the other to a tally, and yield the sums of each."""
        deals = _numbering()
        for tournament, names in zip(self.tournaments, self.names, strict=True):
            sums = summary(store, tournament)
            found = source(store, tournament, sums)
            fields = tournament.names
            if found.added_up and len(set(names)) == len(set(fields)) == len(names):
                part = found.tally()
                numbers = [deals[tournament.mixed_secret, deal] for deal in part.deals()]
                tally.take(part, dict(zip(fields, names, strict=True)), numbers)
            else:  # bots of a field that are one bot here do not beat each other, and sums cannot leave that out
                for result in _results(store, tournament, names, deals):
                    tally.add(result)
            yield sums

    def standings(self, store: Store, rate: Callable[[ResultSource], Ranking]) -> Standings:
        """Rate the bots of all tournaments together."""
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        failures: dict[str, Counter[str]] = defaultdict(Counter)
        decisions: Counter[str] = Counter()
        charged: Counter[str] = Counter()
        tally = Tally()
        for names, sums in zip(self.names, self._add_up(store, tally), strict=True):
            for place, faults in sums.faults.items():
                kinds[names[place]].update(faults)
            for place, effort in sums.efforts.items():
                decisions[names[place]] += effort.decisions
                charged[names[place]] += effort.charged_us
        for tournament, names in zip(self.tournaments, self.names, strict=True):
            for place, failed in store.process_failures.counts(tournament.id).items():
                failures[names[place]].update(failed)
        counting = ResultSource(lambda: self.results(store), lambda: tally)
        table = in_game_units(rate(counting), self.tournaments[0].game)
        behaved = {
            bot: conduct(kinds[bot], decisions[bot], charged[bot], process_failures=failures[bot])
            for bot in set(chain(*self.names))
        }
        return Standings(table, counting, behaved, table.matches, decisions.total())

    def history(self, store: Store, rate: Callable[[ResultSource], Ranking]) -> Iterator[tuple[TournamentRow, Ranking]]:
        """Yield each tournament with the ranking that all results until its end make."""
        tally = Tally()
        for count, (tournament, _) in enumerate(zip(self.tournaments, self._add_up(store, tally), strict=True), 1):
            sofar = ResultSource(partial(self.results, store, count), lambda: tally)
            yield tournament, in_game_units(rate(sofar), tournament.game)


def _numbering() -> defaultdict[tuple[bytes, int], int]:
    """Return numbers for deals, counted through as they come, by the secret and the number from which each follows."""
    numbers: defaultdict[tuple[bytes, int], int] = defaultdict(int)
    numbers.default_factory = numbers.__len__
    return numbers


def _results(
    store: Store, tournament: TournamentRow, names: Sequence[str], deals: Mapping[tuple[bytes, int], int]
) -> Iterator[Result]:
    for stored in rated(store, tournament):
        yield team_result(stored, names, tournament.definition.team_of)._replace(
            deal=deals[tournament.mixed_secret, stored.deal]
        )


def _told(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={each}" for name, each in sorted(value.items())) or "none"
    return str(value)


def _versions(tournaments: Sequence[TournamentRow]) -> Iterator[tuple[str, ...]]:
    """Yield the names of each field, with their versions where a bot had several."""
    contents: dict[str, set[str]] = defaultdict(set)
    for tournament in tournaments:
        for entrant in tournament.entrants:
            contents[entrant.name].add(entrant.sha256)
    for tournament in tournaments:
        submissions = [bot.get("submission", "") for bot in tournament.definition.field]
        late = len(tournament.entrants) - len(submissions)  # who entered later; older definitions name nobody
        titles = [*submissions, *[""] * late]
        yield tuple(
            entrant.name
            if len(contents[entrant.name]) == 1
            else title or f"{entrant.name}:{entrant.sha256[:_SHOWN_HASH]}"
            for entrant, title in zip(tournament.entrants, titles, strict=True)
        )
