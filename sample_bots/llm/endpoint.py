"""A client of chat endpoints that speak as OpenAI's does: `POST URL/chat/completions`, JSON both ways.

API: https://platform.openai.com/docs/api-reference/chat. Everything that arrives is bounded, in time and size, and
believed only after a look at its type.
"""

import email.utils
import json
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import trio
from settings import Settings, SettingsError

REPLY_BYTES = 1 << 20
"""The largest body that is read."""

_BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses after which the same request may succeed."""

_NEVER = (401, 402, 403, 404)
"""Statuses after which no request will succeed: the key, the account or the address is wrong."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model wrote."""

    text: str
    tokens: int
    """The tokens of prompt and reply together."""


class EndpointError(Exception):
    """A request failed.

    status: the HTTP status of the answer; 0: there was none.
    wait: seconds that the endpoint asks for.
    """

    def __init__(self, sentence: str, status: int = 0, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait = wait

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status in _BUSY or not self.status

    @property
    def is_refusal(self) -> bool:
        """Whether the endpoint answered with an error, for which nothing is paid."""
        return self.status >= 400

    @property
    def is_final(self) -> bool:
        """Whether no request to this endpoint will succeed."""
        return self.status in _NEVER


class Endpoint:
    """A chat endpoint. structured: whether it is asked for JSON by a schema, which it may refuse once."""

    def __init__(self, settings: Settings) -> None:
        """Make a client. Raises SettingsError for an address that is none."""
        try:
            address = urlsplit(settings.url)
            self._port = address.port
        except ValueError:
            raise SettingsError("url is no address") from None
        if address.scheme not in ("http", "https") or not address.hostname:
            raise SettingsError("url must begin with http:// or https:// and name a host")
        self._host = address.hostname
        self._path = f"{address.path.rstrip('/')}/chat/completions" + (f"?{address.query}" if address.query else "")
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._settings = settings
        self.structured = settings.structured

    async def ask(self, messages: Sequence[dict[str, str]], schema: Any, max_tokens: int, seconds: float) -> Reply:
        """Return the reply to a conversation.

        schema: that of the JSON that is wanted.

        Raises EndpointError.
        """
        settings = self._settings
        request = {**settings.extra, "model": settings.model, "messages": messages, settings.limit_field: max_tokens}
        if self.structured:
            wanted = {"name": "move", "strict": True, "schema": schema}
            request["response_format"] = {"type": "json_schema", "json_schema": wanted}
        body = json.dumps(request).encode()
        connection = self._connection(seconds)
        sockets: list[socket.socket] = []
        with trio.move_on_after(seconds):
            try:
                send = partial(self._send, connection, sockets, body, time.monotonic() + seconds)
                return _reply(await trio.to_thread.run_sync(send, abandon_on_cancel=True), len(body))
            except EndpointError as error:
                if self.structured and error.status in (400, 422):
                    self.structured = False
                raise
            except (OSError, HTTPException, ValueError) as error:
                raise EndpointError(self.without_key(f"no answer: {type(error).__name__}: {error}")) from None
            finally:
                for one in sockets:  # where the thread still waits, it ends now
                    with suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)
        raise EndpointError(f"no answer within {seconds:.1f} s")

    def without_key(self, text: str) -> str:
        """Return a text in which the key cannot be read."""
        return text.replace(self._settings.api_key, "***") if self._settings.api_key else text

    def _connection(self, seconds: float) -> HTTPConnection:
        if self._tls is not None:
            return HTTPSConnection(self._host, self._port, timeout=seconds, context=self._tls)
        return HTTPConnection(self._host, self._port, timeout=seconds)

    def _send(self, connection: HTTPConnection, sockets: list[socket.socket], body: bytes, deadline: float) -> bytes:
        """Return the body of the answer, in a thread.

        sockets: gets the socket, for whoever ends the wait.
        """
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.api_key:
            headers["Authorization"] = f"Bearer {self._settings.api_key}"
        try:
            connection.connect()
            sockets.append(connection.sock)
            connection.request("POST", self._path, body, headers)
            response = connection.getresponse()
            content = _read(response, deadline)
            if response.status != 200:
                wait = retry_seconds(response.getheader("Retry-After"))
                message = self.without_key(content[:200].decode("utf-8", "replace"))
                raise EndpointError(f"status {response.status}: {message}", response.status, wait)
            return content
        finally:
            connection.close()


def has_network() -> bool:
    """Tell whether this process may have sockets of the network at all; a sandbox may forbid them."""
    try:
        socket.socket(socket.AF_INET).close()
    except OSError:
        return False
    return True


def _read(response: HTTPResponse, deadline: float) -> bytes:
    content = bytearray()
    while part := response.read1(65536):
        content += part
        if len(content) > REPLY_BYTES:
            raise EndpointError(f"an answer of more than {REPLY_BYTES >> 20} MiB", response.status)
        if time.monotonic() > deadline:
            raise EndpointError("an answer without an end")
    return bytes(content)


def retry_seconds(retry_after: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number or a date (RFC 9110, 10.2.3)."""
    if retry_after is None:
        return None
    if retry_after.strip().isdigit():
        return float(retry_after.strip()[:9])
    with suppress(ValueError, OverflowError):
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    return None


def _reply(content: bytes, asked_bytes: int) -> Reply:
    """Return what a body says. Raises EndpointError for one of another form."""
    try:
        answer = json.loads(content)
        text = answer["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        raise EndpointError("an answer that is no chat completion") from None
    if not isinstance(text, str):
        raise EndpointError("an answer without text")
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 0:
        tokens = (asked_bytes + len(content)) // 4
    return Reply(text, tokens)
