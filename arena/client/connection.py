"""Requests to the API of a server.

A token goes to the server for which it is meant alone: certificates are verified, redirects are not followed, and
plain HTTP is spoken with this machine only, unless the user insists.
"""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    BaseHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from arena import __version__
from arena.client.answers import Shape, checked
from arena.client.errors import ServerError, Unreachable
from arena.values.texts import printable

LOOPBACK = ("127.0.0.1", "localhost", "::1")

SECONDS = 60.0
"""Without a byte from the server; event streams send one every 30 s."""

AWAY = (502, 503, 504)
"""What a server answers, or a proxy before it, that is away or busy and may be back soon."""

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes of an answer."""

API = "/api/v1"


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take the token to another address."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


def parse_server(url: str, *, insecure: bool = False) -> str:
    """Return the address of a server, as scheme and host.

    insecure: whether plain HTTP may leave this machine.

    Raises ServerError if it is none, or would send a token unprotected.
    """
    host = None
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host, port = parts.hostname, parts.port
    except ValueError:  # then there is no host
        pass
    if host is None or parts.scheme not in ("http", "https") or parts.username is not None:
        raise ServerError(f'"{url}" is no address of a server: write https://arena.example.org')
    if parts.scheme == "http" and host not in LOOPBACK and not insecure:
        raise ServerError(
            f"http://{host} would send your token unprotected: use https://, or --insecure if you know the network"
        )
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}" + (f":{port}" if port is not None else "")


class Server:
    """The API of a server.

    address: as `parse_server` returns it.
    token: sent with every request; None: none is.
    """

    def __init__(self, address: str, token: str | None) -> None:
        self.address = address
        self._token = token
        handlers: list[BaseHandler] = [_NoRedirects(), HTTPSHandler(context=ssl.create_default_context())]
        if address.startswith("http://"):  # a proxy of the environment would read the token
            handlers.append(ProxyHandler({}))
        self._opener: OpenerDirector = build_opener(*handlers)

    def get(self, path: str, shape: Shape) -> Any:
        """Return the JSON answer at a path below the API.

        shape: see `checked`.

        Raises ServerError.
        """
        with self.open("GET", path) as response:
            return checked(_decode(response), shape)

    def post(self, path: str, shape: Shape, content: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        """Send a body and return the JSON answer.

        shape: see `checked`.

        Raises ServerError.
        """
        with self.open("POST", path, content, headers) as response:
            return checked(_decode(response), shape)

    @contextmanager
    def open(
        self, method: str, path: str, content: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Iterator[HTTPResponse]:
        """Yield a response. Raises ServerError if the server cannot be reached, then or later, or refuses."""
        request = Request(f"{self.address}{API}{path}", content, headers or {}, method=method)
        request.add_header("User-Agent", f"arena/{__version__}")
        if self._token is not None:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                yield response
        except HTTPError as error:
            with error:
                kind = Unreachable if error.code in AWAY else ServerError
                raise kind(f"{self.address}: {_problem(error)}") from None
        except (URLError, HTTPException, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise ServerError(
                    f"the certificate of {self.address} is not valid ({reason.verify_message}): "
                    "have its organiser renew it, or name your authority in SSL_CERT_FILE"
                ) from None
            if isinstance(reason, ssl.SSLError) and self.address.startswith("https://"):
                plain = self.address.replace("https://", "http://", 1)
                raise Unreachable(
                    f"{self.address} cannot be reached over TLS ({reason.reason}): if it is a server without, its "
                    f"address is {plain}"
                ) from None
            raise Unreachable(f"{self.address} cannot be reached ({reason}): is the address right?") from None


def _decode(response: HTTPResponse) -> Any:
    content = response.read(LARGEST_ANSWER + 1)
    try:
        if len(content) > LARGEST_ANSWER:
            raise ValueError
        return json.loads(content)
    except (ValueError, RecursionError):
        raise ServerError("the answer is not that of an arena: is the address right?") from None


def _problem(error: HTTPError) -> str:
    """Return what a server says about a refusal."""
    try:
        detail = str(json.loads(error.read(LARGEST_ANSWER))["detail"])
    except (ValueError, RecursionError, TypeError, KeyError, OSError, HTTPException):
        if 300 <= error.code < 400:
            return f"it redirects to {printable(str(error.headers.get('location', 'nowhere')))}: name that address"
        return f"it answers {error.code}, and not as an arena does: is the address right?"
    retry = error.headers.get("retry-after", "")
    return printable(detail) + (f" (after {retry} s)" if retry.isdecimal() else "")
