"""The session of one remote bot: its stream, and a stream to a referee for each phase. Runs in the gate's thread."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.run.remote.renumbering import Renumbering
from referee.session.inbox import STRAYS, StrayBudget
from referee.v1.play_pb2 import Answer, Answers, Hello, PlayRequest, PlayResponse, Turns

WRITE_SECONDS = 30.0
"""Seconds that sending a message to a bot may take. A bot that does not read is then disconnected."""

GONE = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What grpc raises if the other side of a stream is gone; which one depends on timing."""

_PATH = "/referee.v1.BotService/Play"
_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)


class RefereeStream:
    """One stream to a referee, opened by an invitation.

    address, token: the invitation. is_answered: the referee has said something, so the invitation was used.
    """

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token
        self.is_answered = False
        self.call: Any = None

    async def say(self, message: bytes) -> None:
        """Send a message, unless the stream is closed."""
        if self.call is not None:
            with suppress(*GONE):
                await self.call.write(message)


class GateSession:
    """The session of a remote bot with a valid token. Call `run`, then `close`; until then `invite` for each referee.

    name: the bot's name, by its token.
    over: set it to end the session.
    lost: set if the bot does not read.
    """

    def __init__(
        self, name: str, hello: Hello, stream: Any, cut: Callable[[], None], strays: StrayBudget | None = None
    ) -> None:
        """Create a session.

        cut: closes the connection at once.
        strays: what its earlier sessions sent in vain.
        """
        self.name = name
        self.over = asyncio.Event()
        self.lost = asyncio.Event()
        self._hello = hello
        self._stream = stream
        self._cut = cut
        self._strays = strays if strays is not None else StrayBudget()
        self._writing = asyncio.Lock()
        self._renumbering: Renumbering[RefereeStream] = Renumbering()
        self._referees: dict[RefereeStream, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Forward the bot's answers until it disconnects or the session is over."""
        tasks = [asyncio.create_task(waiting) for waiting in (self._listen(), self.over.wait(), self.lost.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(tasks)

    async def close(self) -> list[tuple[str, str]]:
        """Close its streams to referees, who may invite the bot anew at once: `invite` must not be called any more.

        Returns: address and token of each invitation that no referee has answered. Its referee still waits for the bot.
        """
        unanswered = [(one.address, one.token) for one in self._referees if not one.is_answered]
        await _cancel(tuple(self._referees.values()))
        return unanswered

    def invite(self, address: str, token: str) -> None:
        """Open a stream to a referee that waits for the bot."""
        referee = RefereeStream(address, token)
        self._referees[referee] = asyncio.create_task(self._play(referee))

    async def _listen(self) -> None:
        with suppress(*GONE):
            while (payload := await self._stream.read()) is not grpc.aio.EOF:
                try:
                    request = PlayRequest.FromString(payload)
                except DecodeError:
                    request = None
                if request is None or not request.HasField("answers"):
                    # Its referees penalise it; then the bot is not read any more.
                    for referee in list(self._referees):
                        await referee.say(payload)
                    return
                is_flood, messages = self._route(request.answers)
                for referee, message in messages.items():
                    await referee.say(message.SerializeToString())
                if is_flood:
                    # A referee that the bot plays for learns why; while it plays for none, nobody else would count.
                    flood = PlayRequest(answers=Answers(answers=[Answer()] * (STRAYS + 1))).SerializeToString()
                    for referee in list(self._referees):
                        await referee.say(flood)
                    self._cut()
                    return

    def _route(self, answers: Answers) -> tuple[bool, dict[RefereeStream, PlayRequest]]:
        """Return whether the bot has sent too much that is of no use, and what its referees get of a message."""
        numbers, sent = self._renumbering, len(answers.answers)
        before = numbers.open + numbers.unanswered
        # One surplus answer is a fault already: do not spend time on a million of them.
        del answers.answers[numbers.open + 1 :]
        messages = numbers.route_answers(answers)
        good = before - numbers.open - numbers.unanswered
        return self._strays.count(good, sent - good if good else max(1, sent)), messages

    async def _play(self, referee: RefereeStream) -> None:
        """Forward the turns of a referee to the bot until the referee ends the stream."""
        try:
            async with grpc.aio.insecure_channel(referee.address, options=_OPTIONS) as channel:
                with suppress(*GONE):
                    referee.call = channel.stream_stream(_PATH)()
                    hello = PlayRequest(hello=self._hello)
                    hello.hello.token = referee.token
                    await referee.call.write(hello.SerializeToString())
                    while (payload := await referee.call.read()) is not grpc.aio.EOF:
                        referee.is_answered = True
                        response = PlayResponse.FromString(payload)
                        if response.HasField("turns"):
                            self._renumbering.renumber_turns(referee, response.turns)
                            await self._say(response.turns)
        finally:
            referee.call = None
            self._referees.pop(referee, None)
            if left := self._renumbering.close_stream(referee).ends:
                with suppress(*GONE):
                    await self._say(Turns(ends=left))

    async def _say(self, turns: Turns) -> None:
        message = PlayResponse(turns=turns).SerializeToString()
        async with self._writing:  # a stream takes one write at a time
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._stream.write(message)
            except TimeoutError:
                self._cut()
                self.lost.set()


async def _cancel(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
