"""One ranking of several tournaments of a game, and how it grew from one to the next."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from arena.ratings import Ranking, Result, Tally
from arena.ratings.experiments import Experiments
from arena.ratings.source import ResultSource
from arena.results.standings import Standings, conduct, in_game_units
from arena.results.stored_tournament import StoredTournament
from arena.results.team_results import team_result
from arena.values.rows import late_entrants
from arena.values.tournament_errors import PlanError
from arena.values.versioned_names import base_name

_SHOWN_HASH = 7


@dataclass(frozen=True, slots=True)
class TournamentPool:
    """Several tournaments of one game, to be rated together."""

    tournaments: tuple[StoredTournament, ...]
    """The tournaments, the oldest first."""
    names: tuple[tuple[str, ...], ...]
    """The names of the bots, by tournament and place in its field; different versions of a bot have different names,
    unless they are rated as one bot.
    """

    @classmethod
    def of(cls, tournaments: Iterable[StoredTournament], *, together: bool = False) -> "TournamentPool":
        """Return a pool of tournaments.

        together: whether all versions of a bot count as one bot.

        Raises PlanError where they do not measure the same thing: another game, other options, other rules.
        """
        ordered = tuple(sorted(tournaments, key=lambda tournament: tournament.row.key))
        first = ordered[0]
        for other in ordered[1:]:
            for what, one, two in (
                ("games", first.game, other.game),
                ("options", first.row.options, other.row.options),
                ("versions of the rules", first.row.behaviour, other.row.behaviour),
            ):
                if one != two:
                    raise PlanError(
                        f"tournaments {first.id} and {other.id} have different {what} ({_told(one)}; {_told(two)}), so "
                        "their results do not go into one ranking: name tournaments that agree"
                    )
        if not together:
            return cls(ordered, tuple(_versions(ordered)))
        return cls(ordered, tuple(map(_without_versions, ordered)))

    def results(self, count: int | None = None) -> Iterator[Result]:
        """Yield the results of the first `count` tournaments, of all without it.

        Deals that follow from the same secret are the same deal, in whichever tournament they were played.
        """
        deals, experiments = _numbering(), Experiments()
        for tournament, names in list(zip(self.tournaments, self.names, strict=True))[:count]:
            yield from _results(tournament, names, deals, experiments)

    def _add_up(self, tally: Tally) -> Iterator[StoredTournament]:
        """Add what counts of one tournament after the other to a tally, and yield that one."""
        deals, experiments = _numbering(), Experiments(Tally())
        for pooled, names in zip(self.tournaments, self.names, strict=True):
            tournament = StoredTournament(pooled.store, pooled.row)  # its sums are freed with it
            source = tournament.source
            fields = tournament.names
            has_sums = source.load_tally is not None and tournament.opening_of is None
            if has_sums and len(set(names)) == len(set(fields)) == len(names):
                part = source.tally()
                numbers = [deals[tournament.row.mixed_secret, deal] for deal in part.deals()]
                tally.merge(part, dict(zip(fields, names, strict=True)), numbers)
            else:  # bots of a field that are one bot here do not beat each other, and sums cannot leave that out
                for result in _results(tournament, names, deals, experiments):
                    tally.add(result)
            if tournament.opening_of is not None:
                experiments.note(tally)
            yield tournament

    def standings(self, rate: Callable[[ResultSource], Ranking]) -> Standings:
        """Rate the bots of all tournaments together."""
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        failures: dict[str, Counter[str]] = defaultdict(Counter)
        granted: dict[str, dict[str, None]] = defaultdict(dict)
        clocks: dict[str, dict[str, None]] = defaultdict(dict)
        has_odds = any(tournament.row.definition.odds for tournament in self.tournaments)
        decisions: Counter[str] = Counter()
        charged: Counter[str] = Counter()
        tally = Tally()
        for names, tournament in zip(self.names, self._add_up(tally), strict=True):
            for place, faults in tournament.summary.faults.items():
                kinds[names[place]].update(faults)
            for place, effort in tournament.summary.efforts.items():
                decisions[names[place]] += effort.decisions
                charged[names[place]] += effort.charged_us
            for place, failed in tournament.store.process_failures.counts(tournament.id).items():
                failures[names[place]].update(failed)
            for place, grants in tournament.row.definition.grants.items():
                granted[names[place]].update(dict.fromkeys(grants))
            if has_odds:
                for place, name in enumerate(names):
                    clocks[name][str(tournament.row.definition.clock_of(place))] = None
        counting = ResultSource(self.results, lambda: tally)
        table = in_game_units(rate(counting), self.tournaments[0].game)
        behaved = {
            bot: replace(
                conduct(kinds[bot], decisions[bot], charged[bot], process_failures=failures[bot]),
                grants=tuple(granted[bot]),
                clock="; ".join(clocks[bot]),
            )
            for bot in set(chain(*self.names))
        }
        return Standings(table, counting, behaved, table.matches, decisions.total())

    def history(self, rate: Callable[[ResultSource], Ranking]) -> Iterator[tuple[StoredTournament, Ranking]]:
        """Yield each tournament with the ranking that all results until its end make."""
        tally = Tally()
        for count, tournament in enumerate(self._add_up(tally), 1):
            so_far = ResultSource(partial(self.results, count), lambda: tally)
            yield tournament, in_game_units(rate(so_far), tournament.game)


def _numbering() -> defaultdict[tuple[bytes, int], int]:
    """Return numbers for deals, counted through as they come, by the secret and the number from which each follows."""
    numbers: defaultdict[tuple[bytes, int], int] = defaultdict(int)
    numbers.default_factory = numbers.__len__
    return numbers


def _results(
    tournament: StoredTournament,
    names: Sequence[str],
    deals: Mapping[tuple[bytes, int], int],
    experiments: Experiments,
) -> Iterator[Result]:
    secret, team_of = tournament.row.mixed_secret, tournament.row.definition.team_of
    if tournament.opening_of is None:
        for row in tournament.rated_rows():
            yield team_result(row, names, team_of)._replace(deal=deals[secret, row.deal])
        return
    yield from experiments.add(
        match._replace(result=match.result._replace(deal=deals[secret, match.result.deal]))
        for match in tournament.rated_logs(names)
    )


def _told(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={setting}" for name, setting in sorted(value.items())) or "none"
    return str(value)


def _versions(tournaments: Sequence[StoredTournament]) -> Iterator[tuple[str, ...]]:
    """Yield the names of each field; bots of one name with other files get their version or the hash of their files."""
    contents: dict[str, set[str]] = defaultdict(set)
    for tournament in tournaments:
        for entrant in tournament.row.entrants:
            contents[entrant.name].add(entrant.sha256)
    for tournament in tournaments:
        yield tuple(
            _pooled_name(entrant.name, title)
            if len(contents[entrant.name]) == 1
            else title or f"{entrant.name}:{entrant.sha256[:_SHOWN_HASH]}"
            for entrant, title in zip(tournament.row.entrants, _submissions(tournament), strict=True)
        )


def _submissions(tournament: StoredTournament) -> list[str]:
    """Return the submission of each bot of a field as it is shown, with its version; empty for other bots."""
    bots = *tournament.row.definition.field, *late_entrants(tournament.log)
    return [bot.submission for bot in bots]


def _pooled_name(name: str, title: str) -> str:
    """Return the name of a bot among several tournaments: copies of one version of a submission are one bot."""
    return title if title and name.startswith(f"{title}#") else name


def _without_versions(tournament: StoredTournament) -> tuple[str, ...]:
    """Return the names of a field in which all versions of a submission have the same."""
    return tuple(
        base_name(title) if title and name.startswith(title) else name
        for name, title in zip(tournament.names, _submissions(tournament), strict=True)
    )
