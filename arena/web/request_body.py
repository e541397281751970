"""What a browser sends: forms and JSON, read up to a bound."""

import json
from contextlib import aclosing
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

FORM = 64 * 1024
"""Bytes of a form at the most."""


async def body(request: Request, most: int = FORM) -> bytes:
    """Return what was sent. Raises HTTPException where it is more than `most` bytes."""
    too_much = HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {most:,} bytes can be sent here")
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or len(announced) > 12 or int(announced) > most:
        raise too_much
    read = bytearray()
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            read += part
            if len(read) > most:
                raise too_much
    return bytes(read)


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a form; of several with one name the last."""
    text = (await body(request)).decode("utf-8", "replace")
    return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=200))


async def values(request: Request) -> dict[str, Any]:
    """Return a JSON object. Raises HTTPException where it is none."""
    try:
        told = json.loads(await body(request))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "what was sent is no JSON object")
    return told
