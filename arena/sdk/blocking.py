"""The loop of a bot that answers one question after the other: one thread, one socket."""

import socket
from collections.abc import Iterator
from time import perf_counter

from arena.sdk.address import split
from arena.sdk.call import Call, CallLost
from arena.sdk.dialogue import PATH, Dialogue

_PATIENCE = 0.02
"""Seconds of thinking after which finished answers leave, so that the clock does not run on for them."""
_CHUNK = 1 << 18


class _Line:
    """The call on its socket."""

    def __init__(self, address: str) -> None:
        self.call = Call(PATH)
        try:
            self._socket = _connect(address)
        except OSError as error:
            raise CallLost(f"nobody answers at {address}: {error}") from error

    def send(self, message: bytes) -> None:
        self.call.send(message)
        self._flush()

    def receive(self) -> list[bytes]:
        """Return the messages that come next; possibly none."""
        self._flush()
        try:
            data = self._socket.recv(_CHUNK)
        except OSError as error:
            raise CallLost(str(error)) from error
        return self.call.feed(data)

    def _flush(self) -> None:
        if data := self.call.outgoing():
            try:
                self._socket.sendall(data)
            except OSError as error:
                raise CallLost(str(error)) from error


def _connect(address: str) -> socket.socket:
    target = split(address)
    if isinstance(target, tuple):
        dialled = socket.create_connection(target)
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    else:
        dialled = socket.socket(socket.AF_UNIX)
        dialled.connect(target)
    return dialled


def play(dialogue: Dialogue, address: str) -> None:
    """Answer what comes until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    line = _Line(address)
    line.send(dialogue.hello())
    while not line.call.ended:
        for message in line.receive():
            try:
                for answers in _answers(dialogue, message):
                    line.send(answers)
            except Exception:
                if dialogue.pending:  # the questions answered already need not be asked again
                    line.send(dialogue.take())
                raise


def _answers(dialogue: Dialogue, message: bytes) -> Iterator[bytes]:
    """Yield messages with the answers to the questions in a message of the referee, as they get ready."""
    turns = dialogue.read(message)
    questions = dialogue.questions(turns)
    if dialogue.whole:
        if questions:
            dialogue.put_all(questions, dialogue.ask(questions))
    else:
        choose, put = dialogue.ask, dialogue.put
        due = perf_counter() + _PATIENCE
        for question in questions:
            put(question, choose(question))
            if perf_counter() > due:
                yield dialogue.take()
                due = perf_counter() + _PATIENCE
    if dialogue.pending:
        yield dialogue.take()
    dialogue.close(turns)
