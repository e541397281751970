"""The languages, and which one a visitor reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "ko": "한국어", "ja": "日本語"}
"""By code, the name of each language in itself."""

LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default=ENGLISH)
"""The language of the current request; English elsewhere, as on the command line."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within the block, let the language be another one than that of the request."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def choose(asked: str | None, remembered: str | None, accepted: str) -> str:
    """Return the language of a visitor.

    asked: what the address asks for.
    remembered: what the browser remembers.
    accepted: the header Accept-Language (RFC 9110, section 12.5.4). The first of them that names one of ours counts.
    """
    for code in (asked, remembered, *_ranked(accepted)):
        if code in LANGUAGES:
            return str(code)
    return ENGLISH


def _ranked(accepted: str) -> Iterator[str]:
    """Yield the codes of Accept-Language, the most wanted first, without regions."""
    wanted = []
    for place, part in enumerate(accepted.split(",")[:20]):
        name, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        if quality > 0:
            wanted.append((-quality, place, name.strip().lower().partition("-")[0]))
    for *_, code in sorted(wanted):
        yield code
