"""The loop of a bot that answers one question after the other and has a process to itself.

gRPC's asyncio side needs a thread less than the one of `blocking`, and on uvloop a fifth less of a core. It wants to be
the only one of its kind in a process, so whoever shares a process with other bots uses `blocking`.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import grpc

if sys.platform == "win32":  # uvloop is not for it
    from asyncio import new_event_loop
else:
    from uvloop import new_event_loop

from arena.sdk.blocking import answering
from arena.sdk.call import OPTIONS, PATH, CallLost
from arena.sdk.dialogue import Dialogue


def play(dialogue: Dialogue, address: str) -> None:
    """Answer what comes until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    # No asyncio.Runner: it would put off a Ctrl-C until the bot has done with thinking.
    loop = new_event_loop()
    try:
        loop.run_until_complete(_play(dialogue, address))
    finally:
        loop.close()


async def _play(dialogue: Dialogue, address: str) -> None:
    heard = False
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call: Any = channel.stream_stream(PATH)()
        try:
            await call.write(dialogue.hello())
            while (message := await call.read()) is not grpc.aio.EOF:
                heard = True
                try:
                    answers = answering(dialogue, message)
                    while (said := _next(answers)) is not None:
                        await _write(call, said)
                except Exception:
                    if dialogue.pending:  # the questions answered already need not be asked again
                        await _finish(call, dialogue.take())
                    raise
        except grpc.aio.AioRpcError as error:
            details = error.details() or str(error)
            why = details if heard else f"nobody answers at {address}: {details}"
            raise CallLost(why, heard=heard) from None


def _next(answers: Iterator[bytes]) -> bytes | None:
    """Let the bot think as if there were no loop: it may run one of its own."""
    loop = asyncio.get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return next(answers, None)
    finally:
        asyncio._set_running_loop(loop)


async def _write(call: Any, message: bytes) -> None:
    with suppress(asyncio.InvalidStateError):  # the call has ended: reading tells how
        await call.write(message)


async def _finish(call: Any, message: bytes) -> None:
    """Send a last message, and wait for the referee to end the call."""
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(message)
        await call.done_writing()
        while await call.read() is not grpc.aio.EOF:
            pass
