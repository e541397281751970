"""Tells all parts of a program that something was written, whoever wrote it, so that each need not ask on its own."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from arena.store.engine.errors import StoreError

PAUSE_SECONDS = 0.5
"""Between two looks at the mark of the database: so late it is noticed that something was written."""

END_SECONDS = 5.0
"""How long the end of the thread is waited for, where the database does not answer."""


class WriteWatch:
    """Looks at the mark of a database, in a thread, while anybody waits for a change of it.

    count: how often a change was found. A mark that cannot be read is one, too, so that whoever waits finds out why.
    """

    def __init__(self, mark: Callable[[], Hashable]) -> None:
        """Prepare it.

        mark: as `Store.mark`.
        """
        self.count = 0
        self._mark = mark
        self._seen: Hashable = None
        self._lock = Lock()
        self._called: dict[object, Callable[[], object]] = {}
        self._ended = Event()
        self._thread: Thread | None = None

    @contextmanager
    def calling(self, function: Callable[[], object]) -> Iterator[None]:
        """While the block runs, have a function called at once and after each change, in the thread.

        function: must not wait; it is not called any more once the block has ended.
        """
        key = object()
        with self._lock:
            self._seen = object()  # what was written before the thread looks counts as a change
            self._called[key] = function
            if self._thread is None:
                self._ended = Event()
                self._thread = Thread(target=self._look, args=(self._ended,), name="database-watch", daemon=True)
                self._thread.start()
        ending = None
        try:
            yield
        finally:
            with self._lock:
                del self._called[key]
                if not self._called:
                    self._ended.set()
                    ending, self._thread = self._thread, None
            if ending is not None:
                ending.join(END_SECONDS)

    def look(self) -> None:
        """Look at the mark, and tell all who wait where it has changed."""
        try:
            mark = self._mark()
        except StoreError:
            mark = object()
        with self._lock:
            if mark != self._seen:
                self._seen = mark
                self.count += 1
                for function in self._called.values():
                    function()

    def _look(self, ended: Event) -> None:
        while not ended.is_set():
            self.look()
            ended.wait(PAUSE_SECONDS)
