"""The loop of a bot whose `choose` or `choose_all` is a coroutine: trio, all open questions at the same time."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import trio

from arena.sdk.address import split
from arena.sdk.bot import Refused
from arena.sdk.call import Call, CallLost
from arena.sdk.dialogue import PATH, Dialogue
from arena.sdk.question import Question

_CHUNK = 1 << 18


class _Line:
    """The call on its socket, written by any task, read by one."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.call = Call(PATH)
        self._stream = stream
        self._writing = trio.Lock()

    async def send(self, message: bytes) -> None:
        self.call.send(message)
        await self._flush()

    async def receive(self) -> list[bytes]:
        """Return the messages that come next; possibly none."""
        await self._flush()
        try:
            data = await self._stream.receive_some(_CHUNK)
        except trio.BrokenResourceError as error:
            raise CallLost(str(error)) from error
        return self.call.feed(bytes(data))

    async def _flush(self) -> None:
        async with self._writing:
            if data := self.call.outgoing():
                try:
                    await self._stream.send_all(data)
                except trio.BrokenResourceError as error:
                    raise CallLost(str(error)) from error


class _Play:
    """One bot at work."""

    def __init__(self, dialogue: Dialogue, line: _Line, nursery: trio.Nursery) -> None:
        self._dialogue = dialogue
        self._line = line
        self._nursery = nursery
        self._leaving = False

    async def listen(self) -> None:
        """Start a task for each question until the referee ends the call."""
        dialogue = self._dialogue
        await self._line.send(dialogue.hello())
        while not self._line.call.ended:
            for message in await self._line.receive():
                turns = dialogue.read(message)
                questions = dialogue.questions(turns)
                if not dialogue.whole:
                    for question in questions:
                        self._nursery.start_soon(self._answer, question)
                elif questions:
                    self._nursery.start_soon(self._answer_all, questions)
                dialogue.close(turns)

    async def _answer(self, question: Question[Any]) -> None:
        self._dialogue.put(question, await self._dialogue.ask(question))
        self._leave_soon()

    async def _answer_all(self, questions: Sequence[Question[Any]]) -> None:
        self._dialogue.put_all(questions, await self._dialogue.ask(questions))
        self._leave_soon()

    def _leave_soon(self) -> None:
        """Send what is answered after the tasks that are ready now have answered too: one message for all."""
        if not self._leaving:
            self._leaving = True
            self._nursery.start_soon(self._leave)

    async def _leave(self) -> None:
        await trio.lowlevel.checkpoint()
        self._leaving = False
        with suppress(CallLost):  # the listening task meets it too, and says so
            await self._line.send(self._dialogue.take())


async def _play(dialogue: Dialogue, address: str) -> None:
    target = split(address)
    try:
        if isinstance(target, tuple):
            stream = await trio.open_tcp_stream(*target)
        else:
            stream = await trio.open_unix_socket(target)
    except OSError as error:
        raise CallLost(f"nobody answers at {address}: {error}") from error
    failure: CallLost | Refused | None = None
    async with stream, trio.open_nursery() as nursery:
        try:
            await _Play(dialogue, _Line(stream), nursery).listen()
        except (CallLost, Refused) as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure:
        raise failure


def play(dialogue: Dialogue, address: str) -> None:
    """Answer what comes until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    trio.run(_play, dialogue, address)
