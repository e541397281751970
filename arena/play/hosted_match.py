"""A match under way with people in some of its seats, who answer from elsewhere than a terminal."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread

from arena.errors import ArenaError
from arena.play.match_thread import Table
from arena.play.remote_player import Guest
from arena.tournament.run.single_match import Invite, Single
from referee.engine.errors import EngineError
from referee.v1.work_pb2 import Invitation


class Sitting:
    """A match and its people. All of it may be asked from any thread.

    guests: by their seats. match: the number under which it was stored, once it is over.
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
        self.guests = {seat: Guest(self._changed) for seat in seats}
        self.match: int | None = None
        self.trouble = ""
        self.over = False
        self._table = Table(match)
        self._left = False
        self._sitting: list[Thread] = []
        self._thread = Thread(target=self._run, name="sitting")
        self._thread.start()

    @property
    def waiting(self) -> list[int]:
        """The seats whose people are asked now."""
        return [seat for seat, guest in self.guests.items() if guest.waits]

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
        self._table.stop_inviting()
        self._thread.join()

    def _changed(self) -> None:
        with self._changes:
            self.version += 1
            self._changes.notify_all()
            for wake in self._listeners:
                wake()

    def _run(self) -> None:
        try:
            with self._table as table:
                for invitation in table.invitations():
                    self._sit_down(invitation)
                if not self._left:
                    self.match = self._keep(table.result())
        except (ArenaError, EngineError) as error:
            self.trouble = str(error)
        finally:
            for guest in self.guests.values():
                guest.leave()
            for each in self._sitting:
                each.join()
            self.over = True
            self._changed()

    def _sit_down(self, invitation: Invitation) -> None:
        guest = self.guests[invitation.player]
        thread = Thread(target=guest.sit_down, args=(invitation,), name=f"guest at seat {invitation.player}")
        self._sitting.append(thread)
        thread.start()
