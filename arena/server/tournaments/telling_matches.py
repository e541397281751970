"""The three most telling matches of a tournament that is over, for its page.

Results choose them, which are at hand: the win that the ratings expected least, and the narrowest one. Of the matches
that were narrow, a few are replayed: the third is the one in which the lead changed for the last time at the latest
moment. So at most `REPLAYED` + 2 matches are replayed, in the background, and what was found is kept as long as the
tournament stays as it is.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import exp
from threading import Lock
from typing import NamedTuple

from arena.language.message import Message
from arena.ratings.ranking import ELO_PER_NAT, RankingRow
from arena.replay.replay import Replay
from arena.replay.story import Story, story_of
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.store import Store
from arena.values.errors import ArenaError
from arena.values.rows import ListedMatch, TournamentRow
from referee.engine.errors import EngineError
from referee.engine.registry import game, in_units

MOST_READ = 2_000
"""Matches whose results are read, the newest ones."""

REPLAYED = 12
"""Narrow matches that are replayed, to see when the lead changed for the last time."""

UNEXPECTED = 0.6
"""A win counts as unexpected if the ratings expected it at most so many times as often as among equals."""

KEPT = 256
"""Tournaments whose matches are remembered."""


class TellingMatch(NamedTuple):
    """A match that tells something of its tournament."""

    match: int
    """The id of the match."""
    why: str
    """Why it is shown, as a message."""
    title: str
    """Who won, as a message."""
    about: tuple[str, ...]
    """By what, and since when they led, as messages, as far as that is known."""
    move: int
    """The frame to begin with: the moment at which the lead changed for good, or the first frame."""


class TellingMatches:
    """The telling matches of tournaments; thread-safe.

    store: the open database.
    replay: replays a match of a number.
    """

    def __init__(self, store: Store, replay: Callable[[int], Replay] | None = None) -> None:
        self._store = store
        self._replay = replay or (lambda id: Replay(store.match(id)))
        self._kept: dict[int, tuple[object, list[TellingMatch]]] = {}
        self._lock = Lock()

    def known(self, tournament: TournamentRow, ranked: CachedRanking) -> list[TellingMatch] | None:
        """Return those of a tournament; None if they were not found yet, and none before its matches may be seen."""
        if tournament.finished is None:
            return []
        version, found = self._kept.get(tournament.id, (None, []))
        return found if version == _version(ranked) else None

    def find(self, tournament: TournamentRow, ranked: CachedRanking) -> None:
        """Find those of a tournament; takes a few seconds at most. Does nothing while others are found."""
        if not self._lock.acquire(blocking=False):
            return  # whoever looks at the page next has them found
        try:
            if self.known(tournament, ranked) is not None:
                return
            read = self._store.matches(tournament=tournament.id, limit=MOST_READ)
            found = list(self._found(read, ranked.standings.table.rows))
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[tournament.id] = _version(ranked), found
        finally:
            self._lock.release()

    def _found(self, read: Sequence[ListedMatch], rows: Sequence[RankingRow]) -> Iterable[TellingMatch]:
        elo = {row.bot: row.elo for row in rows if not row.bound}
        shown = set[int]()
        chances = [
            (chance / among_equals, chance, match.id)
            for match in read
            if (chance := winning_chance(match, elo)) is not None
            and (among_equals := winning_chance(match, dict.fromkeys(match.players, 0.0))) is not None
        ]
        if chances and (least := min(chances))[0] <= UNEXPECTED:
            why = Message("the least expected win: the ratings expected {0} in 100", round(100 * least[1]))
            yield from self._told(least[2], why, shown)
        narrow = sorted((gap, match.id) for match in read if (gap := margin(match)) is not None)
        late = self._latest_lead([id for _, id in narrow if id not in shown][:REPLAYED])
        if late is not None:
            yield from self._told(late, "the latest last change of the lead", shown)
        if rest := [place for place in narrow if place[1] not in shown]:
            why = Message("the narrowest win: a margin of {0} in {1}", f"{rest[0][0]:g}", self._unit(read))
            yield from self._told(rest[0][1], why, shown)
        if len(shown) < 3 and (rest := [place for place in narrow if place[1] not in shown]):
            why = Message("the clearest win: a margin of {0} in {1}", f"{rest[-1][0]:g}", self._unit(read))
            yield from self._told(rest[-1][1], why, shown)

    def _latest_lead(self, ids: Sequence[int]) -> int | None:
        """Return the match in which the lead changed for the last time at the latest moment; None if it never did."""
        latest: tuple[float, int] | None = None
        for id in ids:
            with suppress(ArenaError, EngineError):
                replay = self._replay(id)
                move = _lead(story_of(replay))
                share = 0.0 if move is None else move / max(1, replay.count() - 1)
                if share and (latest is None or share > latest[0]):
                    latest = share, id
        return None if latest is None else latest[1]

    def _told(self, id: int, why: str, shown: set[int]) -> Iterable[TellingMatch]:
        with suppress(ArenaError, EngineError):
            story = story_of(self._replay(id))
            about = tuple(filter(None, (story.by, story.since)))
            shown.add(id)
            yield TellingMatch(id, why, story.title, about, _lead(story) or 0)

    @staticmethod
    def _unit(read: Sequence[ListedMatch]) -> str:
        return Message(game(read[0].game).unit)


def winning_chance(match: ListedMatch, elo: dict[str, float]) -> float | None:
    """Return how likely the ratings made it that one of those who won would; None where a bot has no rating.

    A bot is first with a chance in proportion to 10^(Elo / 400), as upsets of leagues are found.
    """
    ranks: dict[str, int] = {}
    for name, rank in zip(match.players, match.ranks, strict=True):
        ranks[name] = min(rank, ranks.get(name, rank))
    winners = [name for name, rank in ranks.items() if rank == 1]
    if len(winners) == len(ranks) or not ranks.keys() <= elo.keys():
        return None
    strength = {name: exp((elo[name] - elo[winners[0]]) / ELO_PER_NAT) for name in ranks}
    return sum(strength[name] for name in winners) / sum(strength.values())


def margin(match: ListedMatch) -> float | None:
    """Return by how much the winner was ahead, in the unit of the game; None without one winner ahead by score."""
    first = {score for score, rank in zip(match.scores, match.ranks, strict=True) if rank == 1}
    others = [score for score, rank in zip(match.scores, match.ranks, strict=True) if rank != 1]
    gap = min(first) - max(others) if others else 0
    return in_units(match.game, gap) if gap > 0 else None


def _lead(story: Story) -> int | None:
    """Return the frame in which the winner took the lead for good; None where nobody else was ever in front."""
    return next((moment.frame for moment in story.moments if moment.decisive), None)


def _version(ranked: CachedRanking) -> object:
    """Return what changes with the matches of a tournament and the names of its bots."""
    return ranked.count, ranked.decided, tuple(ranked.names)
