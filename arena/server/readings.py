"""What answers are made of: organisers read the whole database, all others what visitors may see of it.

Each has caches and live pages of its own, so that nothing that was made for organisers is shown to anybody else.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, NamedTuple

from starlette.requests import Request

from arena.server.access import Access, access_of
from arena.server.leagues.cache import LeagueCache
from arena.server.live.live_pages import LivePages
from arena.server.matches.replay_cache import ReplayCache
from arena.server.watch.watched_league import WatchedLeagues, Watching
from arena.store import Store

Handler = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What some readers see."""

    store: Store
    leagues: LeagueCache
    live: LivePages
    replays: ReplayCache
    watched: WatchedLeagues | None
    """The tables of leagues; None: they are not watched."""

    @classmethod
    def of(cls, store: Store, watching: Watching | None = None) -> "Reading":
        """Return what is read from a database.

        watching: what may be watched of leagues; None: nothing.
        """
        watched = None if watching is None else WatchedLeagues(store, watching)
        return cls(store, LeagueCache(store), LivePages(), ReplayCache(store), watched)


class Readings(NamedTuple):
    """Both readings of a database."""

    whole: Reading
    """What organisers see."""
    shown: Reading
    """What all others see."""

    def of(self, access: Access) -> Reading:
        """Return what somebody sees."""
        return self.whole if access.organiser else self.shown

    def routes(self, make: Callable[[Reading], Sequence[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
        """Yield routes that answer each request from what its sender sees.

        make: returns the routes for a reading, each with path, handler and perhaps method.
        """
        for (path, whole, *more), (_, shown, *_) in zip(make(self.whole), make(self.shown), strict=True):
            yield path, either(whole, shown, _is_of_organiser), *more


def either(whole: Handler, shown: Handler, sees_all: Callable[[Any], bool]) -> Handler:
    """Return a handler that has one of two others answer.

    sees_all: tells of the first argument whether whoever asks reads the whole database.
    """
    if iscoroutinefunction(whole):

        async def ask(asked: Any, **more: Any) -> Any:
            return await (whole if sees_all(asked) else shown)(asked, **more)

        return ask

    def answer(asked: Any, **more: Any) -> Any:
        return (whole if sees_all(asked) else shown)(asked, **more)

    return answer


def _is_of_organiser(request: Request) -> bool:
    return access_of(request).organiser
