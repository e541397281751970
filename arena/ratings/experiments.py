"""Experiments: which matches say nothing new, as they repeat others or begin from the same opening.

The deals of a game of cards are the game: each is a new experiment, even one that comes again by chance. It is not so
where matches begin from an opening of a book, or all alike. Then

- a set, that is, all matches of one line-up with a deal, repeats another of that line-up if it has the same logs;
- sets that begin from one opening of a book are one experiment, whatever their logs: as few openings as there are, so
  little do results say of the bots beyond them;
- where all matches begin alike, sets are one experiment if they repeat each other.

Matches of one experiment get the number of the same deal. They count in Elo and scores as all others; bars,
likelihoods, separation and SPRT, which are about deals, then take them for one. Beside bars by opening stand those of
managers of matches, which take each set for one that repeats no other.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from arena.ratings.repeats import Repeats
from arena.values.result import Result, bots_of

if TYPE_CHECKING:
    from arena.ratings.tally import Tally


class LoggedResult(NamedTuple):
    """The result of a match, and what tells whether it is an experiment of its own."""

    result: Result
    log: Hashable = None
    """What stands for the log: equal for matches that went alike from beginning to end; None if unknown."""
    opening: str = ""
    """The opening from which the match begins; empty where all begin alike."""


class Experiments:
    """Numbers the deals of matches by experiment."""

    def __init__(self, by_set: "Tally | None" = None) -> None:
        """Begin without matches.

        by_set: gets all matches too, those of one opening as different experiments if they do not repeat each other.
        """
        self._by_set = by_set
        self._different: set[Hashable] | None = set()
        self._played = 0
        self._sets = self._repeated = self._largest = 0
        self._logs: set[Hashable] = set()
        self._numbers: dict[Hashable, int] = {}
        self._firsts: dict[Hashable, int] = {}
        self._first = 0
        self._openings: set[str] = set()
        self._matches = Counter[str]()
        self._repeats = Counter[str]()

    def add(self, matches: Iterable[LoggedResult]) -> Iterator[Result]:
        """Yield results with the number of the first deal of their experiment. All matches of a deal come together."""
        sets: dict[tuple[int, tuple[str, ...]], list[LoggedResult]] = {}
        for match in matches:
            line_up = tuple(sorted(map(str, match.result.teams)))
            sets.setdefault((match.result.deal, line_up), []).append(match)
        for (deal, line_up), played in sets.items():
            number = self._number(deal, line_up, played)
            for match in played:
                if self._by_set is not None:
                    self._by_set.add(match.result._replace(deal=self._first))
                yield match.result._replace(deal=number)

    def _number(self, deal: int, line_up: tuple[str, ...], played: list[LoggedResult]) -> int:
        self._sets += 1
        self._largest = max(self._largest, len(played))
        is_known = all(match.log is not None for match in played)
        self._played += len(played)
        if not is_known:
            self._different = None
        elif self._different is not None:
            self._different.update(match.log for match in played)
        logs = line_up, tuple(sorted(repr((match.result.teams, match.log)) for match in played))
        bots = [bots_of(match.result) for match in played]
        self._matches.update(chain(*bots))
        if is_known and logs in self._logs:
            self._repeated += 1
            self._repeats.update(chain(*bots))
        self._logs.add(logs)
        self._first = self._firsts.setdefault(logs, deal) if is_known else deal
        opening = played[0].opening
        if opening:
            self._openings.add(opening)
            return self._numbers.setdefault(opening, deal)
        return self._numbers.setdefault(logs, deal) if is_known else deal

    def tally(self, matches: Iterable[LoggedResult]) -> "Tally":
        """Return the tally of matches, and of what was found of repeats among them. Parameters as in `add`."""
        from arena.ratings.tally import Tally

        self._by_set = Tally()
        tally = Tally(self.add(matches))
        self.note(tally)
        return tally

    def note(self, tally: "Tally") -> None:
        """Note in a tally of all matches what was found of repeats among them."""
        tally.repeats = found = self.repeats
        if self._by_set is not None and 0 < found.openings < found.sets:
            self._by_set.repeats = found
            tally.by_set = self._by_set

    @property
    def repeats(self) -> Repeats:
        """What was found so far."""
        shares = {bot: 1 - repeated / self._matches[bot] for bot, repeated in self._repeats.items()}
        different = None if self._different is None else len(self._different)
        return Repeats(self._sets, self._repeated, self._largest, len(self._openings), shares, self._played, different)
