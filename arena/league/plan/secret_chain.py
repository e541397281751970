"""The secrets of a season: a hash chain, so that the secret of a day can be published and none that comes after it.

    last day          32 random bytes
    day d             SHA-256 of the secret of day d + 1
    commitment        SHA-256 of the secret of day 0; published at the start
    batch N of day d  HMAC-SHA256(secret of the day, with the entropy of the season mixed in, "batch/N")

The secret of day d, hashed d + 1 times, gives the commitment, so nobody can exchange it. Those of later days do not
follow from it. All else follows from the secret of a batch as from that of a tournament.
"""

import hmac
import secrets
from datetime import date, timedelta
from hashlib import sha256

from arena.league.store.league_rows import SeasonRow
from referee.engine.chance import mixed_secret

DAYS = 400
"""The days for which a season's chain lasts."""

MOST_DAYS = 4000
"""The most days that a chain may have: each is hashed to verify it."""


def new_season(number: int, first_day: date, *, days: int = DAYS, entropy: str = "") -> SeasonRow:
    """Return a season with a chain of its own.

    days: its longest duration.
    """
    last = secrets.token_bytes(32)
    commitment = _hash(last, days).hex()
    return SeasonRow(number, first_day.isoformat(), days, last, commitment, entropy)


def day_of(season: SeasonRow, today: date) -> int:
    """Return the number of a day in a season, from 0; the last one of its chain where it is over."""
    return min(max((today - date.fromisoformat(season.first_day)).days, 0), season.days - 1)


def last_date(season: SeasonRow) -> date:
    """Return the last day for which a season has a secret."""
    return date.fromisoformat(season.first_day) + timedelta(days=season.days - 1)


def day_secret(season: SeasonRow, day: int) -> bytes:
    """Return the secret of a day, as it is published after it.

    day: from 0, as `day_of` returns it.
    """
    return _hash(season.secret, season.days - 1 - day)


def belongs(secret: bytes, day: int, commitment: str) -> bool:
    """Tell whether a published secret of a day leads to the commitment."""
    return _hash(secret, day + 1).hex() == commitment


def batch_secret(secret: bytes, entropy: str, batch: int) -> bytes:
    """Return the secret of a batch.

    secret, entropy: of its day and season.
    batch: its number in the league.
    """
    mixed = mixed_secret(secret, entropy) if entropy else secret
    return hmac.digest(mixed, f"batch/{batch}".encode(), "sha256")


def _hash(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret
