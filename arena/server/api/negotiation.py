"""What a request accepts and sends, and whether it has the answer already: RFC 9110, sections 8.3, 12.5 and 13."""

from hashlib import sha256

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.server.api.operations import JSON


def accepts(request: Request, media_type: str) -> bool:
    """Return whether a request accepts answers of a media type; one that does not say accepts any."""
    kind = media_type.partition("/")[0]
    best = (-1, True)
    for part in request.headers.get("accept", "*/*").split(",")[:20]:
        name, *parameters = (text.strip().lower() for text in part.split(";"))
        if name in (wanted := ("*/*", f"{kind}/*", media_type)):
            is_wanted = not any(text in ("q=0", "q=0.0", "q=0.00", "q=0.000") for text in parameters)
            best = max(best, (wanted.index(name), is_wanted))  # the most specific decides
    return best[0] >= 0 and best[1]


def sent_type(request: Request) -> str:
    """Return the media type of the body of a request, without its parameters; empty if it does not say."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def encoded(request: Request, value: Struct, status: int) -> Response:
    """Return the response with a value as JSON, or 304 if the request has it already.

    The tag is a digest of the content, so equal answers have equal tags whatever else changed. It is a weak one: the
    content may be compressed on its way.
    """
    content = msgspec.json.encode(value)
    if request.method not in ("GET", "HEAD"):
        return Response(content, status, {"cache-control": "no-store"}, JSON)
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"etag": f"W/{tag}", "cache-control": "private, no-cache", "vary": "authorization, accept-encoding"}
    known = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    if tag in known or known == ["*"]:
        return Response(status_code=304, headers=headers)
    following = getattr(value, "next", None)
    if following:
        headers["link"] = f'<{following}>; rel="next"'
    return Response(content, status, headers, JSON)
