"""Asks the provider: by TLS, without redirects, within limits of time and size."""

import base64
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from arena import __version__
from arena.values.texts import printable
from arena_openid.settings import OpenIdError, ProviderAway

SECONDS = 10.0
"""For each part of an answer."""

LARGEST = 1 << 20
"""Bytes of an answer."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow none: what is asked has secrets."""


def fetch(
    url: str,
    form: Mapping[str, str] | None = None,
    *,
    client: tuple[str, str] | None = None,
    token: str | None = None,
) -> dict[str, Any]:
    """Return the JSON object at a URL; blocks. Raises OpenIdError, and ProviderAway without an answer.

    form: what is posted; None: nothing is.
    client: the name and the secret with which arena says who it is; None: it does not.
    token: the access token that is shown; None: none is.
    """
    headers = {"accept": "application/json", "user-agent": f"arena/{__version__}"}
    if client is not None:  # RFC 6749, section 2.3.1
        pair = ":".join(map(quote_plus, client))
        headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    body = None if form is None else urlencode(form).encode()
    host = urlsplit(url).hostname
    try:
        with _opener().open(urllib.request.Request(url, body, headers), timeout=SECONDS) as answer:
            content, status = answer.read(LARGEST + 1), answer.status
    except urllib.error.HTTPError as error:
        with error:
            raise OpenIdError(f"{host} answers {error.code}{_reason(error)}") from None
    except (OSError, ValueError, urllib.error.URLError) as error:
        why = getattr(error, "reason", error)
        if isinstance(why, ssl.SSLCertVerificationError):
            raise OpenIdError(f"the certificate of {host} is not valid: {why.verify_message}") from None
        text = getattr(why, "strerror", None) or str(why) or type(why).__name__
        raise ProviderAway(f"{host} cannot be reached ({printable(text, '')})") from None
    if len(content) > LARGEST:
        raise OpenIdError(f"the answer of {host} is too large")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise OpenIdError(f"the answer of {host} ({status}) is no object of JSON")
    return values


@cache
def _opener() -> urllib.request.OpenerDirector:
    context = ssl.create_default_context()
    return urllib.request.build_opener(_NoRedirects(), urllib.request.HTTPSHandler(context=context))


def _reason(error: urllib.error.HTTPError) -> str:
    """Return the error that an answer names, such as `invalid_client`, in brackets; empty if it names none."""
    try:
        values = json.loads(error.read(LARGEST))
        name = values["error"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return ""
    return f" ({printable(name, '')[:80]})" if isinstance(name, str) else ""
