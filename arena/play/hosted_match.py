"""A match under way with people in some of its seats, who answer from elsewhere than a terminal."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread

from arena.errors import ArenaError
from arena.play.match_thread import MatchThread
from arena.play.remote_player import RemotePlayer
from arena.tournament.run.single_match import Invite, Single
from referee.engine.errors import EngineError
from referee.v1.work_pb2 import Invitation


class HostedMatch:
    """A match and its people. All of it may be asked from any thread.

    people: by their seats. match: the number under which it was stored, once it is over.
    trouble: why it came to no end.
    version: raised with every change. over: whether nothing more will change.
    """

    def __init__(
        self, match: Callable[[Invite], Awaitable[Single]], seats: Sequence[int], keep: Callable[[Single], int]
    ) -> None:
        """Begin a match.

        match: plays it under trio and tells its argument who is waited for. seats: those of the people.
        keep: stores the match once it is over and returns its number.
        """
        self._keep = keep
        self._changes = Condition()
        self._listeners: list[Callable[[], None]] = []
        self.version = 0
        self.people = {seat: RemotePlayer(self._changed) for seat in seats}
        self.match_id: int | None = None
        self.trouble = ""
        self.over = False
        self._match_thread = MatchThread(match)
        self._left = False
        self._threads: list[Thread] = []
        self._thread = Thread(target=self._run, name="hosted match")
        self._thread.start()

    @property
    def waiting(self) -> list[int]:
        """The seats whose people are asked now."""
        return [seat for seat, person in self.people.items() if person.waits]

    def wait(self, version: int, seconds: float) -> int:
        """Wait until there is another version than this one, but no longer than so many seconds; return it."""
        with self._changes:
            self._changes.wait_for(lambda: self.version != version, seconds)
            return self.version

    @contextmanager
    def notifying(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` after each change within the block, in whatever thread made it."""
        with self._changes:
            self._listeners.append(wake)
        try:
            yield
        finally:
            with self._changes:
                self._listeners.remove(wake)

    def leave(self) -> None:
        """End the match, which is not kept, and all that belongs to it. Waits until it is gone."""
        self._left = True
        self._match_thread.stop_inviting()
        self._thread.join()

    def _changed(self) -> None:
        with self._changes:
            self.version += 1
            self._changes.notify_all()
            for wake in self._listeners:
                wake()

    def _run(self) -> None:
        try:
            with self._match_thread as match_thread:
                for invitation in match_thread.invitations():
                    self._join(invitation)
                if not self._left:
                    self.match_id = self._keep(match_thread.result())
        except (ArenaError, EngineError) as error:
            self.trouble = str(error)
        finally:
            for person in self.people.values():
                person.leave()
            for each in self._threads:
                each.join()
            self.over = True
            self._changed()

    def _join(self, invitation: Invitation) -> None:
        person = self.people[invitation.player]
        thread = Thread(target=person.join, args=(invitation,), name=f"seat {invitation.player}")
        self._threads.append(thread)
        thread.start()
