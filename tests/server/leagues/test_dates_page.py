"""The page with the dates of a league: who reads it, and how organisers change them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.language.table_words import DATES
from arena.league.dates.control import GivenDates, set_dates
from arena.league.store.league_dates import LeagueDates
from arena.league.store.leagues import Leagues
from arena.server.access import VISITOR
from arena.server.leagues.dates import WORDS
from arena.server.leagues.dates_routes import given_dates
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, ORGANISER
from tests import leagues
from tests.server.conftest import Client, account_client

PAGE = "/leagues/cambio/dates"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.cambio(opened)
        yield opened


def known(store: Store) -> LeagueDates:
    return Leagues(store).dates(Leagues(store).named("cambio").id)


def in_days(days: int) -> str:
    """A day from now on, at six in the evening, as a form sends it."""
    return f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d}T18:00"


def test_organisers_set_dates_and_take_them_back(store: Store) -> None:
    organiser, visitor = account_client(store, ORGANISER), Client(store, VISITOR)
    assert "No dates are set." in visitor.get(PAGE).text
    assert "<form" not in visitor.get(PAGE).text
    assert f'href="{PAGE}">change the dates' in organiser.get("/leagues/cambio").text
    fields = {"deadline": in_days(10), "ends": in_days(11), "timezone": "Europe/Berlin", "reason": "a talk"}
    assert organiser.post(PAGE, data=fields).headers["location"] == PAGE
    assert known(store).zone == "Europe/Berlin"
    shown = f"{in_days(10).replace('T', ' ')} Europe/Berlin"
    assert shown in visitor.get(PAGE).text
    assert f'value="{in_days(11)}"' in organiser.get(PAGE).text
    assert Leagues(store).log(Leagues(store).named("cambio").id)[-1].reason == "a talk"
    organiser.post(PAGE, data=fields | {"ends": ""})
    assert (known(store).ends, bool(known(store).deadline)) == ("", True)


def test_what_stays_as_it_is_is_no_decision(store: Store) -> None:
    set_dates(store, "cambio", GivenDates(deadline="2199-10-25T00:30+00:00", timezone="Europe/Berlin"), "ann")
    entries = len(Leagues(store).log(Leagues(store).named("cambio").id))
    assert account_client(store, ORGANISER).post(PAGE, data={"deadline": "2199-10-25T01:30"}).status_code == 303
    fields = {"deadline": "2199-10-25T02:30", "timezone": "Europe/Berlin"}
    assert given_dates(fields, LeagueDates(deadline="2199-10-25T00:30:00+00:00", zone="Europe/Berlin")).is_empty
    assert len(Leagues(store).log(Leagues(store).named("cambio").id)) == entries + 1


def test_organisers_extend_a_deadline_and_take_that_back(store: Store) -> None:
    store.accounts.add("club", AUTHOR, "1" * 64)
    organiser = account_client(store, ORGANISER)
    assert "Extend the deadline" not in organiser.get(PAGE).text
    organiser.post(PAGE, data={"deadline": in_days(10), "timezone": "UTC"})
    organiser.post(PAGE, data={"owner": "club", "until": in_days(12), "reason": "was ill"})
    assert known(store).extensions == {"club": f"{in_days(12)}:00+00:00"}
    assert "take back the extension of club" in organiser.get(PAGE).text
    assert "club" not in Client(store, VISITOR).get(PAGE).text.partition('id="content"')[2]
    organiser.post(PAGE, data={"owner": "club"})
    assert known(store).extensions == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"deadline": "soon"},
        {"deadline": "2026-01-01T18:00"},
        {"deadline": in_days(9), "ends": in_days(8)},
        {"deadline": in_days(9), "timezone": "Nowhere/Else"},
        {"owner": "nobody", "until": in_days(12)},
        {"deadline": in_days(9), "reason": "x" * 300},
    ],
)
def test_what_the_command_refuses_the_form_refuses(store: Store, fields: dict[str, str]) -> None:
    assert 400 <= account_client(store, ORGANISER).post(PAGE, data=fields).status_code < 500
    assert known(store) == LeagueDates()


def test_nobody_else_changes_dates(store: Store) -> None:
    fields = {"deadline": in_days(9), "timezone": "UTC"}
    for other in (account_client(store, AUTHOR), Client(store, VISITOR)):
        assert other.post(PAGE, data=fields).status_code == 403
        assert "<form" not in other.get(PAGE).text
    assert account_client(store, ORGANISER).post(PAGE, site="cross-site", data=fields).status_code == 403
    assert known(store) == LeagueDates()


def test_the_pages_are_in_the_language_of_the_reader(store: Store) -> None:
    set_dates(store, "cambio", GivenDates(deadline="2199-05-01T18:00+00:00"), "ann")
    for language, words in (("ko", "제출 마감"), ("ja", "提出締め切り"), ("en", "last hand-in counts")):
        assert words in Client(store, VISITOR).get(f"{PAGE}?lang={language}").text
    assert "새 공지" in account_client(store, ORGANISER).get("/leagues/cambio/announcements?lang=ko").text
    assert "last hand-in counts" in Client(store, VISITOR).get("/leagues/cambio?lang=ko").text, "its page is English"
    assert set(WORDS.values()) <= set(DATES), "they are translated"
