"""A running match with people in some of its seats, who answer at pages."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread

from arena.run.people.match_thread import MatchThread
from arena.run.people.remote_player import RemotePlayer
from arena.run.single_match import Invite, Single
from arena.values.errors import ArenaError
from referee.engine.errors import EngineError
from referee.v1.work_pb2 import Invitation


class HostedMatch:
    """A running match and its people; thread-safe.

    people: the people by seat.
    match_id: the id of the stored match, once it is over.
    trouble: the error that ended it, if any.
    version: a number that increases with each change.
    over: whether there will be no more changes.
    """

    def __init__(
        self, match: Callable[[Invite], Awaitable[Single]], seats: Sequence[int], store: Callable[[Single], int]
    ) -> None:
        """Start a match in a thread.

        match: plays it under trio, and calls its argument with each invitation.
        seats: the seats of the people.
        store: stores the finished match and returns its id.
        """
        self._store = store
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
        """The seats whose people are to move."""
        return [seat for seat, person in self.people.items() if person.waits]

    def wait(self, version: int, seconds: float) -> int:
        """Wait until the version is no longer `version`, for at most `seconds`; return the current version."""
        with self._changes:
            self._changes.wait_for(lambda: self.version != version, seconds)
            return self.version

    @contextmanager
    def notifying(self, wake: Callable[[], None]) -> Iterator[None]:
        """Within the block, call `wake` after each change, in the thread that made it."""
        with self._changes:
            self._listeners.append(wake)
        try:
            yield
        finally:
            with self._changes:
                self._listeners.remove(wake)

    def leave(self) -> None:
        """End the match without storing it, and wait until its threads and processes have ended."""
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
                    self.match_id = self._store(match_thread.result())
        except (ArenaError, EngineError) as error:
            self.trouble = str(error)
        finally:
            for person in self.people.values():
                person.leave()
            for thread in self._threads:
                thread.join()
            self.over = True
            self._changed()

    def _join(self, invitation: Invitation) -> None:
        person = self.people[invitation.player]
        thread = Thread(target=person.join, args=(invitation,), name=f"seat {invitation.player}")
        self._threads.append(thread)
        thread.start()
