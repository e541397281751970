"""The links at the top of every page."""

from collections.abc import Sequence
from contextvars import ContextVar

PUBLIC_LINKS = (("/", "Tournaments"), ("/matches", "Matches"), ("/bots", "Bots"))
"""The navigation links of every site."""

NAVIGATION: ContextVar[Sequence[tuple[str, str]]] = ContextVar("NAVIGATION", default=PUBLIC_LINKS)
"""The navigation links of the current request, as path and name; set by the middleware."""
