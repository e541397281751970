"""Request bodies: forms and JSON, with a size limit.

Whoever is signed in is looked up again once a form has arrived, which may take a while: nothing is done for somebody
who has been signed out or has other rights by then.
"""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.server.live.event_streams import VIEWER, Viewer

FORM = 64 * 1024
"""The largest form in bytes."""


MOST_FIELDS = 200
"""Of a form."""

_NUL_IN_JSON = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The escape of a NUL character, which JSON has in no other form."""


async def body_parts(request: Request, most: int) -> AsyncGenerator[bytes, None]:
    """Yield the parts of the body as they arrive. Raises HTTPException once it is larger than `most` bytes."""
    content_length = request.headers.get("content-length", "0")
    if not content_length.isdecimal() or len(content_length) > 12 or int(content_length) > most:
        raise too_large(most)
    read = 0
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            read += len(part)
            if read > most:
                raise too_large(most)
            yield part


async def body(request: Request, most: int = FORM) -> bytes:
    """Return the body. Raises HTTPException if it is larger than `most` bytes."""
    async with aclosing(body_parts(request, most)) as parts:
        return b"".join([part async for part in parts])


def too_large(most: int) -> HTTPException:
    """Return the error for a body of more than `most` bytes."""
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the request is too large: at most {most:,} bytes are accepted"
    )


async def json_body(request: Request, most: int = FORM) -> bytes:
    """Return the body, which is to be JSON. Raises HTTPException if it is too large or has a NUL character."""
    content = await body(request, most)
    if _NUL_IN_JSON.search(content):
        raise _has_nul()
    return content


def _has_nul() -> HTTPException:
    return HTTPException(HTTPStatus.BAD_REQUEST, "the body has a NUL character")


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a form; the last of several with one name wins."""
    return dict(await _fields(request))


async def form_lists(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form of which several may have one name."""
    found: dict[str, list[str]] = {}
    for name, value in await _fields(request):
        found.setdefault(name, []).append(value)
    return found


async def _fields(request: Request) -> list[tuple[str, str]]:
    text = (await body(request)).decode("utf-8", "replace")
    await _check_viewer(request)
    try:
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the form has too many fields: at most {MOST_FIELDS}") from None
    if any("\0" in value for _, value in fields):
        raise _has_nul()
    return fields


async def values(request: Request) -> dict[str, Any]:
    """Return the JSON object of the body. Raises HTTPException if it is not one."""
    text = await json_body(request)
    await _check_viewer(request)
    try:
        content = json.loads(text.decode())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the body is not a JSON object")
    return content


async def _check_viewer(request: Request) -> None:
    """Raise HTTPException where who sent a request was signed out meanwhile."""
    viewer: Viewer | None = request.scope.get(VIEWER)
    if viewer is not None and not await run_sync(viewer.is_valid):
        raise HTTPException(HTTPStatus.FORBIDDEN, "you were signed out meanwhile, and nothing was done: sign in again")
