"""A moment as people write it: with its offset from UTC, or with the name of a time zone beside it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from arena.values.errors import ArenaError

NONE = "none"
"""How people write that a date is not set."""

LONGEST_ZONE = 64
"""Characters of the name of a time zone."""

_YEARS = range(2000, 2201)

_FORM = "write it like 2026-05-01T18:00 with --timezone Europe/Berlin, or like 2026-05-01T18:00+02:00"


class TimeError(ArenaError):
    """A moment or a time zone that cannot be read; the message says what to write."""


def check_zone(zone: str) -> str:
    """Return the name of a time zone. Raises TimeError if this machine knows none of that name."""
    try:
        if len(zone) > LONGEST_ZONE:
            raise ValueError
        ZoneInfo(zone)
    except (ValueError, KeyError, OSError):  # as of a folder of time zones, or of a path that leaves it
        raise TimeError(
            f'this machine knows no time zone "{zone[:LONGEST_ZONE]}": name one like Europe/Berlin or UTC, and install '
            "tzdata if it has none at all"
        ) from None
    return zone


def parse_time(text: str, zone: str) -> str:
    """Return a moment in UTC as ISO 8601, to the second; empty for "none".

    text: with an offset, or the time of a clock in the time zone.
    zone: the name of a time zone; empty for none.

    Raises TimeError if it is no moment, or if the clocks of the zone show it twice or never.
    """
    text = text.strip()
    if text.lower() == NONE:
        return ""
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise TimeError(f'"{text[:40]}" is no date with a time: {_FORM}') from None
    if len(text) < len("2026-05-01T18"):
        raise TimeError(f'"{text}" is a day without a time: {_FORM}')
    if given.microsecond or given.year not in _YEARS:
        raise TimeError(f'"{text[:40]}" is no moment to the second from {_YEARS[0]} to {_YEARS[-1]}: {_FORM}')
    if given.tzinfo is not None:
        return _utc(given)
    if not zone:
        raise TimeError(f'"{text}" has no time zone: {_FORM}')
    both = [given.replace(tzinfo=ZoneInfo(check_zone(zone)), fold=fold) for fold in (0, 1)]
    offsets = [f"{text}{moment.isoformat()[-6:]}" for moment in both]
    if both[0].utcoffset() != both[1].utcoffset():
        if all(moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) == given for moment in both):
            raise TimeError(
                f"clocks in {zone} show {text} twice, as they are set back: write {offsets[0]} or {offsets[1]}"
            )
        raise TimeError(f"clocks in {zone} never show {text}, as they are set forward then: write another time")
    return _utc(both[0])


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def shown_time(moment: str, zone: str) -> str:
    """Return a moment as people in a time zone read it, with the zone: 2026-05-01 18:00 Europe/Berlin (UTC+02:00).

    moment: UTC, ISO 8601.
    zone: as in `parse_time`; a machine that does not know it shows UTC.
    """
    at = datetime.fromisoformat(moment)
    try:
        at = at.astimezone(ZoneInfo(check_zone(zone or "UTC")))
    except TimeError:
        zone = ""
    clock = f"{at:%Y-%m-%d %H:%M}" + (f":{at:%S}" if at.second else "")
    offset = f" (UTC{at.isoformat()[-6:]})" if zone and at.utcoffset() else ""
    return f"{clock} {zone or 'UTC'}{offset}"


def clock_time(moment: str, zone: str) -> str:
    """Return a moment as a clock in a time zone shows it, in the form of `parse_time`: 2026-05-01T18:00.

    moment: UTC, ISO 8601; empty for none, which is empty, too.
    zone: as in `shown_time`.
    """
    return "T".join(shown_time(moment, zone).split()[:2]) if moment else ""
