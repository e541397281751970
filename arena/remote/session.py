"""One remote bot: its stream, and a stream to a referee for each phase that it plays (all in the gate's thread)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.remote.renumbering import Numbers
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Turns

WRITE_SECONDS = 30.0
"""How long a message may take to a bot. Its clock runs meanwhile; this ends who does not read at all."""

GONE = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What grpc raises where the other side of a stream is gone: which one of them depends on the moment."""

_PATH = "/referee.v1.BotService/Play"
_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)


class Seat:
    """One stream to a referee, which the bot plays over: what an invitation asked for."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token
        self.call: Any = None

    async def say(self, message: bytes) -> None:
        """Pass a message on, unless the stream is gone."""
        if self.call is not None:
            with suppress(*GONE):
                await self.call.write(message)


class Session:
    """The conversation with one remote bot that has shown its token. `run` it; `invite` whenever a referee waits.

    name: the bot's, as its token says. over: set to end it. lost: set where the bot does not read what it is told.
    """

    def __init__(self, name: str, hello: Hello, stream: Any, cut: Callable[[], None]) -> None:
        """Make one. cut: closes its connection at once."""
        self.name = name
        self.over = asyncio.Event()
        self.lost = asyncio.Event()
        self._hello = hello
        self._stream = stream
        self._cut = cut
        self._writing = asyncio.Lock()
        self._numbers: Numbers[Seat] = Numbers()
        self._seats: dict[Seat, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Pass on what the bot says until it goes, or the session is over; then end all its streams to referees."""
        listening = asyncio.create_task(self._listen())
        ending = [asyncio.create_task(each.wait()) for each in (self.over, self.lost)]
        try:
            await asyncio.wait((listening, *ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [listening, *ending, *self._seats.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def invite(self, address: str, token: str) -> None:
        """Dial a referee that waits for the bot."""
        seat = Seat(address, token)
        self._seats[seat] = asyncio.create_task(self._play(seat))

    async def _listen(self) -> None:
        with suppress(*GONE):
            while (payload := await self._stream.read()) is not grpc.aio.EOF:
                try:
                    request = PlayRequest.FromString(payload)
                except DecodeError:
                    request = None
                if request is None or not request.HasField("answers"):
                    # Its referees rule on it; then it is not listened to any more.
                    for seat in list(self._seats):
                        await seat.say(payload)
                    return
                # One answer too many is a fault; a million of them are no more than that, and take a second to look at.
                del request.answers.answers[self._numbers.open + 1 :]
                for seat, message in self._numbers.said(request.answers).items():
                    await seat.say(message.SerializeToString())

    async def _play(self, seat: Seat) -> None:
        """Carry what one referee says to the bot until it ends the stream."""
        try:
            async with grpc.aio.insecure_channel(seat.address, options=_OPTIONS) as channel:
                with suppress(*GONE):
                    seat.call = channel.stream_stream(_PATH)()
                    hello = PlayRequest(hello=self._hello)
                    hello.hello.token = seat.token
                    await seat.call.write(hello.SerializeToString())
                    while (payload := await seat.call.read()) is not grpc.aio.EOF:
                        response = PlayResponse.FromString(payload)
                        if response.HasField("turns"):
                            self._numbers.told(seat, response.turns)
                            await self._say(response.turns)
        finally:
            seat.call = None
            self._seats.pop(seat, None)
            if left := self._numbers.gone(seat).ends:
                with suppress(*GONE):
                    await self._say(Turns(ends=left))

    async def _say(self, turns: Turns) -> None:
        message = PlayResponse(turns=turns).SerializeToString()
        async with self._writing:  # a stream takes one message after the other
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._stream.write(message)
            except TimeoutError:
                self._cut()
                self.lost.set()
