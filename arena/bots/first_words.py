"""Starts a bot that made no gRPC call once more, at a plain socket, to learn what it sends there instead.

gRPC closes what is no HTTP/2 and tells nobody what it was.
"""

import os
import re
import secrets
import shutil
import socket

import trio

from referee.engine.clean_text import clean_bytes
from referee.paths import temporary_folder
from referee.process.bot_process import BotProcess, Output
from referee.sandbox.shortage import MachineError
from referee.session.local_session import GRACE_SECONDS, Program

LISTEN_SECONDS = 5.0
"""How long it is waited for a connection, at most; never longer than the bot has to start."""

WORD_SECONDS = 1.0
"""How long it is waited for what the bot sends first."""

WORD_BYTES = 256
SHOWN_CHARACTERS = 60

INSTEAD = 'a bot speaks gRPC there (docs/protocol.md), or lines of JSON by protocol = "stdio" (docs/bridge.md)'

_HTTP_1 = re.compile(rb"[A-Z]{3,7} \S+ HTTP/1")


async def first_words(program: Program) -> str:
    """Return in a sentence what the bot sends at a socket without gRPC; empty where it cannot be started again."""
    socket_folder = temporary_folder("arena-words-", len("/bot"))
    try:
        os.chmod(socket_folder, 0o711)
        endpoint = _PlainEndpoint(str(socket_folder))
        with trio.socket.socket(socket.AF_UNIX) as listener:
            await listener.bind(endpoint.path)
            os.chmod(endpoint.path, 0o600)
            listener.listen(1)
            return await _listen(program, endpoint, listener)
    except (OSError, MachineError):
        return ""
    finally:
        shutil.rmtree(socket_folder, ignore_errors=True)


class _PlainEndpoint:
    """The address of a socket without gRPC."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.path = f"{folder}/bot"
        self.address = f"unix:{self.path}"
        self.token = secrets.token_hex(16)
        self.root_pid: int | None = None

    def restrict_to(self, user: int | None) -> None:
        """Let only the user with this number dial."""
        if user is not None:
            os.chown(self.path, user, -1)


async def _listen(program: Program, endpoint: _PlainEndpoint, listener: trio.socket.SocketType) -> str:
    threads = trio.CapacityLimiter(1)
    process = BotProcess.start(
        program.command,
        program.folder,
        endpoint=endpoint,
        memory_bytes=program.memory_bytes,
        confinement=program.confinement,
        output=Output(),
        others=program.others,
        cores=program.cores,
        grants=program.grants,
        secrets=program.secrets,
        shown=await program.view(threads),
    )
    seconds = min(program.start_time, LISTEN_SECONDS)
    words: bytes | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.collect)
            nursery.start_soon(process.watch_memory, threads)
            with trio.move_on_after(seconds):
                connection, _ = await listener.accept()
                with connection:
                    words = b""
                    with trio.move_on_after(WORD_SECONDS):
                        words = await connection.recv(WORD_BYTES)
            nursery.cancel_scope.cancel()
    finally:
        process.kill()
        with trio.CancelScope(shield=True), trio.move_on_after(GRACE_SECONDS):
            await process.wait()
        await process.close(threads)
    if words is None:
        return f"started again, it connected to nothing within {seconds:g} s"
    return f"started again, it connected and {describe(words)}"


def describe(words: bytes) -> str:
    """Return in a predicate what a bot sent first."""
    if not words:
        return f"sent nothing: {INSTEAD}"
    if words.startswith(b"PRI * HTTP/2"):
        return "spoke HTTP/2 as gRPC does: it must call Play and say hello"
    if words.startswith(b"\x16\x03"):
        return "began with TLS: it must use a channel without (insecure)"
    line = clean_bytes(words.partition(b"\n")[0].rstrip(b"\r"), SHOWN_CHARACTERS)
    if _HTTP_1.match(words):
        return f'sent a request of HTTP/1, "{line}": {INSTEAD}'
    what = "JSON" if words[:1] in (b"{", b"[") else "something else than gRPC"
    return f'sent {what}, "{line}": {INSTEAD}'
