"""Moments as people write them."""

from datetime import datetime

import pytest

from arena.values.given_time import TimeError, parse_time, shown_time

BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("2026-05-01T18:00", BERLIN, "2026-05-01T16:00:00+00:00"),
        ("2026-01-01 18:00:30", BERLIN, "2026-01-01T17:00:30+00:00"),
        ("2026-05-01T18:00+09:00", BERLIN, "2026-05-01T09:00:00+00:00"),
        ("2026-05-01T18:00Z", "", "2026-05-01T18:00:00+00:00"),
        ("2026-10-25T02:30+02:00", BERLIN, "2026-10-25T00:30:00+00:00"),
        ("2026-10-25T02:30+01:00", BERLIN, "2026-10-25T01:30:00+00:00"),
        ("none", "", ""),
    ],
)
def test_a_moment_is_read(text: str, zone: str, moment: str) -> None:
    assert parse_time(text, zone) == moment


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        ("tomorrow", BERLIN, "is no date with a time"),
        ("2026-05-01", BERLIN, "is a day without a time"),
        ("2026-05-01T18:00", "", "has no time zone"),
        ("2026-05-01T18:00", "Mars/Base", 'knows no time zone "Mars/Base"'),
        ("2026-05-01T18:00", "../passwd", "knows no time zone"),
        ("2026-05-01T18:00", "Europe", "knows no time zone"),
        ("2026-05-01T18:00", "x" * 10_000, "knows no time zone"),
        ("0001-01-01T00:00+14:00", "", "from 2000 to 2200"),
        ("9999-12-31T23:59-14:00", "", "from 2000 to 2200"),
        ("2026-05-01T18:00:00.5Z", "", "no moment to the second"),
        ("2026-10-25T02:30", BERLIN, r"twice, .* write 2026-10-25T02:30\+02:00 or 2026-10-25T02:30\+01:00"),
        ("2026-03-29T02:30", BERLIN, "never show 2026-03-29T02:30"),
    ],
)
def test_what_is_no_moment_is_refused_with_what_to_write(text: str, zone: str, said: str) -> None:
    with pytest.raises(TimeError, match=said):
        parse_time(text, zone)


def test_every_minute_of_a_day_on_which_clocks_change_is_one_moment_or_refused() -> None:
    read = set()
    for minute in range(24 * 60):
        text = f"2026-10-25T{minute // 60:02}:{minute % 60:02}"
        try:
            read.add(datetime.fromisoformat(parse_time(text, BERLIN)))
        except TimeError:
            assert text.startswith("2026-10-25T02:")
    assert len(read) == 23 * 60


@pytest.mark.parametrize(
    ("moment", "zone", "shown"),
    [
        ("2026-05-01T16:00:00+00:00", BERLIN, "2026-05-01 18:00 Europe/Berlin (UTC+02:00)"),
        ("2026-05-01T16:00:30+00:00", "", "2026-05-01 16:00:30 UTC"),
        ("2026-05-01T16:00:00+00:00", "UTC", "2026-05-01 16:00 UTC"),
        ("2026-05-01T16:00:00+00:00", "Mars/Base", "2026-05-01 16:00 UTC"),
    ],
)
def test_a_moment_is_shown_with_its_zone(moment: str, zone: str, shown: str) -> None:
    assert shown_time(moment, zone) == shown
